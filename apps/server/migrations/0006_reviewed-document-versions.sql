ALTER TABLE "document" ALTER COLUMN "default_version" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "document_version" ALTER COLUMN "parsed" SET DATA TYPE json USING "parsed"::json;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "state" text DEFAULT 'draft' NOT NULL;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "consequence" text;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "secret_parameters" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "submitted_by" text;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "submitted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "reviewed_by_id" uuid;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "reviewed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "review_decision" text;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "review_comment" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- What was known of a document now belongs to each of its versions. What ran by default, and what came with a release,
-- goes on running; other versions were never looked at by a second person.
UPDATE "document_version" AS v SET
	"consequence" = d."consequence",
	"secret_parameters" = d."secret_parameters",
	"created_by_id" = (SELECT u."id" FROM "portal_user" u WHERE lower(u."username") = lower(v."created_by") LIMIT 1),
	"state" = CASE
		WHEN d."state" = 'deprecated' THEN 'deprecated'
		WHEN d."state" = 'active' AND (v."version" = d."default_version" OR v."created_by" = 'Device Portal') THEN 'active'
		ELSE 'draft' END
FROM "document" d WHERE d."name" = v."document_name";--> statement-breakpoint
UPDATE "document" SET "default_version" = NULL, "state" = 'draft' WHERE "state" IN ('draft', 'review');--> statement-breakpoint
ALTER TABLE "document_version" ALTER COLUMN "consequence" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "command_run_by_person" ON "command_run" USING btree ("created_by_id","document_name","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "document_version_in_review" ON "document_version" USING btree ("document_name") WHERE "document_version"."state" = 'review';--> statement-breakpoint
ALTER TABLE "document" DROP COLUMN "consequence";--> statement-breakpoint
ALTER TABLE "document" DROP COLUMN "secret_parameters";--> statement-breakpoint
ALTER TABLE "document_version" ADD CONSTRAINT "document_version_second_person" CHECK ("document_version"."review_decision" is distinct from 'approved' or "document_version"."reviewed_by_id" is distinct from "document_version"."created_by_id");