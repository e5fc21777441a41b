CREATE TABLE "audit_block" (
	"number" bigint PRIMARY KEY NOT NULL,
	"first_sequence" bigint NOT NULL,
	"last_sequence" bigint NOT NULL,
	"first_id" uuid NOT NULL,
	"last_id" uuid NOT NULL,
	"event_ids" uuid[] NOT NULL,
	"leaves" "bytea" NOT NULL,
	"root" "bytea" NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"key_id" text NOT NULL,
	"signature" "bytea" NOT NULL,
	CONSTRAINT "audit_block_last_sequence_unique" UNIQUE("last_sequence")
);
--> statement-breakpoint
CREATE TABLE "audit_key" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" "bytea" NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_block_by_ids" ON "audit_block" USING brin ("first_id","last_id") WITH (pages_per_range=4);
--> statement-breakpoint
DROP TABLE "audit_seal" CASCADE;
--> statement-breakpoint
-- Blocks in the order in which they were sealed lie beside each other: what a range of ids needs is a few pages.
ALTER INDEX audit_block_by_ids SET (autosummarize = on);
--> statement-breakpoint
-- Hashes and ids do not get smaller by compression.
ALTER TABLE audit_block ALTER COLUMN leaves SET STORAGE EXTERNAL, ALTER COLUMN event_ids SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TRIGGER audit_block_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_block
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_key_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_key
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
-- The events by month of their id. What is there goes into the months, and waits to be sealed anew.
ALTER TABLE audit_event RENAME TO audit_event_undivided;
--> statement-breakpoint
ALTER TABLE audit_event_undivided RENAME CONSTRAINT audit_event_pkey TO audit_event_undivided_pkey;
--> statement-breakpoint
CREATE TABLE audit_event (LIKE audit_event_undivided INCLUDING DEFAULTS) PARTITION BY RANGE (id);
--> statement-breakpoint
ALTER TABLE audit_event ADD PRIMARY KEY (id);
--> statement-breakpoint
-- For ids that tell no month, and for months that nobody has made yet.
CREATE TABLE audit_event_other PARTITION OF audit_event DEFAULT;
--> statement-breakpoint
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event_other
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
-- The smallest id (UUIDv7) that can be made at a moment.
CREATE FUNCTION audit_id_from(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
--> statement-breakpoint
-- Makes the part of the table for the month (UTC) of a moment, with what of it came before; false where it was there.
CREATE FUNCTION ensure_audit_month(moment timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  first timestamp := date_trunc('month', moment AT TIME ZONE 'utc');
  name text := 'audit_event_' || to_char(first, 'YYYY_MM');
  lower_id uuid := audit_id_from(first AT TIME ZONE 'utc');
  upper_id uuid := audit_id_from((first + interval '1 month') AT TIME ZONE 'utc');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure-audit-month'));
  IF to_regclass(name) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE audit_event INCLUDING DEFAULTS)', name);
  IF EXISTS (SELECT FROM audit_event_other WHERE id >= lower_id AND id < upper_id) THEN
    ALTER TABLE audit_event_other DISABLE TRIGGER audit_event_append_only;
    EXECUTE format('WITH moved AS (DELETE FROM audit_event_other WHERE id >= %L AND id < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', lower_id, upper_id, name);
    ALTER TABLE audit_event_other ENABLE TRIGGER audit_event_append_only;
  END IF;
  EXECUTE format('ALTER TABLE audit_event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, lower_id, upper_id);
  EXECUTE format('CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()', name);
  RETURN true;
END $$;
--> statement-breakpoint
-- The months that have begun or begin soon, and those whose events lie with the others (after a backup was read back).
CREATE FUNCTION ensure_audit_months(at timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  made integer := 0;
  month timestamptz;
BEGIN
  -- All at once: a query that is still being read would hold the table.
  FOREACH month IN ARRAY ARRAY(
    SELECT at + make_interval(months => n) FROM generate_series(0, 2) AS n
    UNION ALL
    SELECT m FROM generate_series(timestamptz '2020-01-01 00:00Z', at, interval '1 month') AS m
      WHERE EXISTS (SELECT FROM audit_event_other
        WHERE id >= audit_id_from(m) AND id < audit_id_from(m + interval '1 month')))
  LOOP
    IF ensure_audit_month(month) THEN made := made + 1; END IF;
  END LOOP;
  RETURN made;
END $$;
--> statement-breakpoint
SELECT ensure_audit_months(now());
--> statement-breakpoint
INSERT INTO audit_event SELECT * FROM audit_event_undivided;
--> statement-breakpoint
DROP TABLE audit_event_undivided;
--> statement-breakpoint
SELECT ensure_audit_months(now());
--> statement-breakpoint
CREATE INDEX audit_event_newest ON audit_event (at, id);
--> statement-breakpoint
CREATE INDEX audit_event_by_device ON audit_event (device_id, at, id);
--> statement-breakpoint
CREATE INDEX audit_event_by_type ON audit_event (type, at, id);
--> statement-breakpoint
CREATE INDEX audit_event_by_actor ON audit_event (actor_id, at, id) WHERE actor_id IS NOT NULL AND actor_kind <> 'device';
--> statement-breakpoint
CREATE INDEX audit_event_by_request ON audit_event (request_id) WHERE request_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX audit_event_by_case ON audit_event (case_id, at, id) WHERE case_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX audit_event_by_run ON audit_event (run_id, at) WHERE run_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
DELETE FROM audit_unsealed;
--> statement-breakpoint
INSERT INTO audit_unsealed (event_id) SELECT id FROM audit_event;
--> statement-breakpoint
CREATE TRIGGER audit_event_awaits_seal AFTER INSERT ON audit_event
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION await_audit_seal();
--> statement-breakpoint
-- Places in the trail are counted anew.
DELETE FROM finding_progress;
