CREATE TABLE "erasure" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"person_ids" uuid[] NOT NULL,
	"sealed_names" text,
	"began_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"step" text,
	"position" jsonb,
	"changed" bigint DEFAULT 0 NOT NULL,
	"deleted" bigint DEFAULT 0 NOT NULL,
	"report_files" uuid[] DEFAULT '{}' NOT NULL,
	"waits_for" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"due_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "erasure_due" ON "erasure" USING btree ("due_at") WHERE "erasure"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "erasure_by_user" ON "erasure" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "erasure_by_people" ON "erasure" USING gin ("person_ids");
--> statement-breakpoint
-- Earlier releases left the signed texts of runs that were open when their users were erased.
INSERT INTO "erasure" ("id", "user_id", "person_ids")
  SELECT gen_random_uuid(), "id", '{}' FROM "portal_user" WHERE "erased_at" IS NOT NULL;
