CREATE TABLE "run_outcome" (
	"run_id" uuid NOT NULL,
	"document_name" text NOT NULL,
	"document_version" integer NOT NULL,
	"is_undo" boolean NOT NULL,
	"model" text NOT NULL,
	"country" text,
	"labels" jsonb NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
INSERT INTO "run_outcome" ("run_id", "document_name", "document_version", "is_undo", "model", "country", "labels",
  "succeeded", "failed", "ended_at")
SELECT r.id, r.document_name, r.document_version, r.undoes_run_id IS NOT NULL, coalesce(d.model, ''), d.country, d.labels,
  count(*) FILTER (WHERE i.state = 'Success'), count(*) FILTER (WHERE i.state <> 'Success'), r.ended_at
FROM command_run r JOIN invocation i ON i.run_id = r.id JOIN device d ON d.id = i.device_id
WHERE r.ended_at > portal_now() - interval '180 days'
  AND (i.state = 'Success' OR i.status_details IN ('Failed', 'Pre-check Failed', 'Verify Failed', 'Execution Timed Out'))
GROUP BY r.id, d.model, d.country, d.labels;
--> statement-breakpoint
CREATE INDEX "run_outcome_history" ON "run_outcome" USING btree ("document_name","document_version","is_undo","model","ended_at");--> statement-breakpoint
-- Kept for two days only, and by whom it was shown is not on record.
DELETE FROM "shown_target";--> statement-breakpoint
ALTER TABLE "shown_target" DROP CONSTRAINT "shown_target_pkey";--> statement-breakpoint
ALTER TABLE "shown_target" ADD COLUMN "user_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "shown_target" ADD COLUMN "device_count" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "shown_target" ADD CONSTRAINT "shown_target_user_id_sha256_pk" PRIMARY KEY("user_id","sha256");--> statement-breakpoint
ALTER TABLE "run_schedule" ADD COLUMN "exceeding_count" integer;--> statement-breakpoint
ALTER TABLE "run_schedule" ADD COLUMN "max_devices" integer;--> statement-breakpoint
-- Nobody has agreed to a number yet: a tenth more than at its last time, and the whole fleet for what has not run yet.
UPDATE "run_schedule" s SET "max_devices" = coalesce(s.frozen_count,
  (SELECT r.target_count + greatest(1, r.target_count / 10) FROM command_run r WHERE r.id = s.last_run_id),
  (SELECT greatest(1, count(*)) FROM device));--> statement-breakpoint
ALTER TABLE "run_schedule" ALTER COLUMN "max_devices" SET NOT NULL;
