ALTER TABLE "support_case" ADD COLUMN "assignee_id" uuid;--> statement-breakpoint
ALTER TABLE "support_case" ADD COLUMN "assignee" text;--> statement-breakpoint
ALTER TABLE "support_case" ADD COLUMN "priority" smallint DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE "support_case" ADD COLUMN "queue" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "support_case" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
-- blocks writes: one row per support case, which a person opens
CREATE INDEX "support_case_by_due" ON "support_case" USING btree (coalesce("due_at", 'infinity'::timestamptz),"id");--> statement-breakpoint
-- blocks writes: one row per support case, which a person opens
CREATE INDEX "support_case_open_by_due" ON "support_case" USING btree (coalesce("due_at", 'infinity'::timestamptz),"id") WHERE "support_case"."state" = 'open';--> statement-breakpoint
-- blocks writes: one row per support case, which a person opens
CREATE INDEX "support_case_by_priority" ON "support_case" USING btree ("priority",coalesce("due_at", 'infinity'::timestamptz),"id");--> statement-breakpoint
-- blocks writes: one row per support case, which a person opens
CREATE INDEX "support_case_open_by_priority" ON "support_case" USING btree ("priority",coalesce("due_at", 'infinity'::timestamptz),"id") WHERE "support_case"."state" = 'open';--> statement-breakpoint
-- blocks writes: one row per support case, which a person opens
CREATE INDEX "support_case_by_assignee" ON "support_case" USING btree ("assignee_id","opened_at","id") WHERE "support_case"."assignee_id" is not null;--> statement-breakpoint
-- blocks writes: one row per support case, which a person opens
CREATE INDEX "support_case_by_queue" ON "support_case" USING btree (lower("queue") text_pattern_ops,"opened_at","id") WHERE "support_case"."queue" <> '';--> statement-breakpoint
-- The user who opened a case has been responsible for it so far.
-- blocks writes: only open cases, of which a user has at most 100
UPDATE "support_case" SET "assignee_id" = "opened_by_id", "assignee" = "opened_by" WHERE "state" = 'open';
