-- How many pieces of bad input are in quarantine. One row.
SELECT count(*) FROM quarantine;
