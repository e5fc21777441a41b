CREATE TABLE "alert_manual_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_metric_newest" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"at" integer NOT NULL,
	"values" double precision[] NOT NULL
);
--> statement-breakpoint
DROP INDEX "alert_of_owner";--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "announced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "case_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rule" ADD COLUMN "excludes_changing" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rule" ADD COLUMN "maintenance" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rule" ADD COLUMN "opens_case" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rule" ADD COLUMN "notices_paused_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "alert_manual_message_of_user" ON "alert_manual_message" USING btree ("user_id","sent_at");--> statement-breakpoint
CREATE INDEX "alert_manual_message_of_address" ON "alert_manual_message" USING btree ("address","sent_at");--> statement-breakpoint
CREATE INDEX "alert_manual_message_by_time" ON "alert_manual_message" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "alert_announced_of_owner" ON "alert" USING btree ("owner_id","announced_at");--> statement-breakpoint
CREATE INDEX "alert_announced_of_rule" ON "alert" USING btree ("rule_id","announced_at");--> statement-breakpoint
UPDATE "alert" SET "announced_at" = "started_at";--> statement-breakpoint
UPDATE "alert_rule" SET "resolve_minutes" = 1 WHERE "resolve_minutes" < 1;--> statement-breakpoint
ALTER TABLE "device_metric_newest" SET (fillfactor = 70);
