-- The audit trail and its seals only grow.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
-- Every event waits for its seal from the moment that it is written, whoever writes it.
CREATE FUNCTION await_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_unsealed (event_id) SELECT id FROM written;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_event_awaits_seal AFTER INSERT ON audit_event
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION await_audit_seal();
--> statement-breakpoint
-- A queue that fills and empties: how large it was once says nothing about when to clean it.
ALTER TABLE audit_unsealed SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
--> statement-breakpoint
-- Room on each page keeps heartbeats and progress heap-only updates.
ALTER TABLE device_status SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE invocation SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE command_run SET (fillfactor = 50);
--> statement-breakpoint
-- How many devices a piece of text matches is asked of the planner's histogram: it must be fine enough to tell
-- 10,000 of a million from 50,000.
ALTER TABLE device ALTER COLUMN search_text SET STATISTICS 2000;
--> statement-breakpoint
-- A pending list would be read by every search.
ALTER INDEX device_search SET (fastupdate = off);
