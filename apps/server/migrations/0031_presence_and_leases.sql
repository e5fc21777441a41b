CREATE TABLE "device_presence" (
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "device_presence_device_id_user_id_pk" PRIMARY KEY("device_id","user_id")
);
--> statement-breakpoint
CREATE INDEX "device_presence_by_age" ON "device_presence" USING btree ("seen_at");--> statement-breakpoint
-- What changes a device holds it while its step goes on; after a quarter of an hour of silence no more.
CREATE VIEW "lease" AS
SELECT i.device_id, i.id AS invocation_id, r.id AS run_id, r.command, r.created_by_id AS holder_id, r.created_by AS holder,
       i.steps, coalesce(i.started_at, i.sent_at, i.queued_at) AS since,
       greatest(i.news_at, i.started_at, i.sent_at, i.queued_at) + interval '15 minutes' AS expires_at
FROM invocation i
JOIN command_run r ON r.id = i.run_id
WHERE i.ended_at IS NULL AND r.ended_at IS NULL AND r.consequence <> 'reads'
  AND greatest(i.news_at, i.started_at, i.sent_at, i.queued_at) + interval '15 minutes' > now();
