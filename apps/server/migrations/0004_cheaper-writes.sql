DROP INDEX "invocation_open_by_expiry";--> statement-breakpoint
DROP INDEX "invocation_undelivered";--> statement-breakpoint
DROP INDEX "audit_event_by_actor";--> statement-breakpoint
ALTER TABLE "audit_unsealed" ADD COLUMN "further" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_event_by_actor" ON "audit_event" USING btree ("actor_id","at","id") WHERE "audit_event"."actor_id" is not null and "audit_event"."actor_kind" <> 'device';--> statement-breakpoint
-- One row for up to a hundred events of a statement: their ids fit beside it, without a row elsewhere (TOAST).
CREATE OR REPLACE FUNCTION await_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_unsealed (event_id, further)
    SELECT ids[1], ids[2:] FROM (
      SELECT array_agg(id) AS ids FROM (
        SELECT id, (row_number() OVER () - 1) / 100 AS part FROM written) AS numbered
      GROUP BY part) AS parts;
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER TABLE audit_unsealed SET (autovacuum_vacuum_threshold = 1000);
