CREATE TABLE "case_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"case_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	"actor_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"kind" text NOT NULL,
	"device_id" uuid,
	"run_id" uuid,
	"reference" text,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "case_worker" (
	"case_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"joined_at" timestamp with time zone NOT NULL,
	"in_since" timestamp with time zone,
	CONSTRAINT "case_worker_case_id_user_id_pk" PRIMARY KEY("case_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "support_case" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"state" text NOT NULL,
	"ticket" text DEFAULT '' NOT NULL,
	"about" text DEFAULT '' NOT NULL,
	"opened_by_id" uuid NOT NULL,
	"opened_by" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"closed_by" text,
	"closed_at" timestamp with time zone,
	"outcome" text,
	"outcome_text" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "command_run" ADD COLUMN "case_id" uuid;--> statement-breakpoint
CREATE INDEX "case_entry_newest" ON "case_entry" USING btree ("case_id","at","id");--> statement-breakpoint
CREATE INDEX "case_entry_by_device" ON "case_entry" USING btree ("case_id","device_id") WHERE "case_entry"."device_id" is not null;--> statement-breakpoint
CREATE INDEX "case_worker_by_user" ON "case_worker" USING btree ("user_id","case_id");--> statement-breakpoint
CREATE UNIQUE INDEX "case_worker_in" ON "case_worker" USING btree ("user_id") WHERE "case_worker"."in_since" is not null;--> statement-breakpoint
CREATE INDEX "support_case_newest" ON "support_case" USING btree ("opened_at","id");--> statement-breakpoint
CREATE INDEX "support_case_by_person" ON "support_case" USING btree ("person_id","opened_at","id");--> statement-breakpoint
CREATE INDEX "support_case_by_ticket" ON "support_case" USING btree (lower("ticket") text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "support_case_open" ON "support_case" USING btree ("person_id","opened_by_id") WHERE "support_case"."state" = 'open';--> statement-breakpoint
CREATE INDEX "support_case_open_newest" ON "support_case" USING btree ("opened_at","id") WHERE "support_case"."state" = 'open';--> statement-breakpoint
CREATE INDEX "audit_event_by_case" ON "audit_event" USING btree ("case_id","at","id") WHERE "audit_event"."case_id" is not null;--> statement-breakpoint
CREATE INDEX "command_run_by_case" ON "command_run" USING btree ("case_id") WHERE "command_run"."case_id" is not null;