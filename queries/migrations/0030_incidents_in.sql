-- The incidents that opened in [since, until) and pass a filter of the report,
-- of which '' lets everything pass.
CREATE MACRO incidents_in(since, until, of_agent, of_operation, of_category, of_provider) AS TABLE
SELECT * FROM v_incidents
WHERE opened_at >= since AND opened_at < until
    AND of_agent IN ('', agent) AND of_operation IN ('', operation)
    AND of_category IN ('', category::VARCHAR) AND of_provider IN ('', provider);
