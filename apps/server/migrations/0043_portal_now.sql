-- The product's SQL takes its time from this function alone: of the transaction, or where a transaction may have waited,
-- portal_now(clock_timestamp()). It is planned as its argument. Only the owner can replace it, as tests do in databases of
-- their own.
CREATE FUNCTION portal_now(moment timestamptz DEFAULT now()) RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE RETURN moment;
--> statement-breakpoint
ALTER TABLE "portal_user" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "recent_item" ALTER COLUMN "at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "role" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "role" ALTER COLUMN "updated_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "command_run" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "invocation_artefact" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "claim" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "device" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "device" ALTER COLUMN "updated_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "device_instance" ALTER COLUMN "enrolled_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "device_note" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "saved_view" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "target_list" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "document" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "document" ALTER COLUMN "updated_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "document_version" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "person" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "person" ALTER COLUMN "updated_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "setting" ALTER COLUMN "updated_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "software_version" ALTER COLUMN "created_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "version_approval" ALTER COLUMN "approved_at" SET DEFAULT portal_now();--> statement-breakpoint
ALTER TABLE "version_restate" ALTER COLUMN "since" SET DEFAULT portal_now();
--> statement-breakpoint
CREATE OR REPLACE VIEW "lease" AS
SELECT i.device_id, i.id AS invocation_id, r.id AS run_id, r.command, r.created_by_id AS holder_id, r.created_by AS holder,
       i.steps, coalesce(i.started_at, i.sent_at, i.queued_at) AS since,
       greatest(i.news_at, i.started_at, i.sent_at, i.queued_at) + interval '15 minutes' AS expires_at
FROM invocation i
JOIN command_run r ON r.id = i.run_id
WHERE i.ended_at IS NULL AND r.ended_at IS NULL AND r.consequence <> 'reads'
  AND greatest(i.news_at, i.started_at, i.sent_at, i.queued_at) + interval '15 minutes' > portal_now();
--> statement-breakpoint
CREATE OR REPLACE VIEW "held_grant" AS
SELECT ur.user_id, r.id AS role_id, r.name, r.builtin, r.permissions, r.scope,
       NULL::uuid AS elevation_id, NULL::timestamptz AS until
FROM user_role ur JOIN role r ON r.id = ur.role_id
UNION ALL
SELECT e.user_id, e.role_id, e.role_name, false, e.permissions, e.scope, e.id, e.ends_at
FROM elevation e WHERE e.state = 'running' AND e.ends_at > portal_now(clock_timestamp());
--> statement-breakpoint
CREATE OR REPLACE FUNCTION hold_audit_month(month text) RETURNS bigint LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := 'audit_event_' || replace(month, '-', '_');
  found bigint;
BEGIN
  IF month !~ '^[0-9]{4}-[0-9]{2}$' THEN
    RAISE EXCEPTION 'no month: %', month USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF ((month || '-01')::timestamp + interval '1 month') AT TIME ZONE 'utc' > public.portal_now() THEN
    RAISE EXCEPTION 'the month % has not ended', month USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', name);
  EXECUTE format('SELECT count(*) FROM public.%I', name) INTO found;
  RETURN found;
END $$;
