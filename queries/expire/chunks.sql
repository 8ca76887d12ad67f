-- The chunks of the plan, in their order.
SELECT DISTINCT chunk FROM temp.expiring ORDER BY chunk;
