-- Forgets the plan.
DROP TABLE IF EXISTS temp.expiring;
