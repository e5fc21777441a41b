-- The planner compares each word of a search with each entry of this histogram. A thousand entries still distinguish
-- 10,000 devices of a million from 50,000.
ALTER TABLE device ALTER COLUMN search_text SET STATISTICS 1000;
