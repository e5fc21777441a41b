CREATE TABLE "run_approval" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"effect" jsonb NOT NULL,
	"effect_sha256" text NOT NULL,
	"decision" text,
	"decided_by_id" uuid,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"comment" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_rule" (
	"consequence" text PRIMARY KEY NOT NULL,
	"approval_from" integer,
	"air_blast_from" integer,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- A run that nobody has approved holds no device.
CREATE OR REPLACE VIEW "lease" AS
SELECT i.device_id, i.id AS invocation_id, r.id AS run_id, r.command, r.created_by_id AS holder_id, r.created_by AS holder,
       i.steps, coalesce(i.started_at, i.sent_at, i.queued_at) AS since,
       greatest(i.news_at, i.started_at, i.sent_at, i.queued_at) + interval '15 minutes' AS expires_at
FROM invocation i
JOIN command_run r ON r.id = i.run_id
WHERE i.ended_at IS NULL AND r.ended_at IS NULL AND r.consequence <> 'reads' AND r.state <> 'Approval'
  AND greatest(i.news_at, i.started_at, i.sent_at, i.queued_at) + interval '15 minutes' > portal_now();
