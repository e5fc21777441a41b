CREATE TABLE "invocation_answer" (
	"invocation_id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"sha256" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_answer" (
	"run_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"status_details" text NOT NULL,
	"response_code" integer,
	"text" text NOT NULL,
	CONSTRAINT "run_answer_run_id_sha256_pk" PRIMARY KEY("run_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "run_schedule" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"command" text NOT NULL,
	"document_name" text NOT NULL,
	"document_version" integer NOT NULL,
	"consequence" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"masked_parameters" jsonb NOT NULL,
	"target" jsonb NOT NULL,
	"frozen_count" integer,
	"max_concurrency" text NOT NULL,
	"max_errors" text NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"times" jsonb NOT NULL,
	"missed" text NOT NULL,
	"state" text NOT NULL,
	"next_at" timestamp with time zone,
	"last_at" timestamp with time zone,
	"last_run_id" uuid,
	"last_error" text,
	"created_by_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_by_subject" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "invocation_answer_by_run" ON "invocation_answer" USING btree ("run_id","sha256","device_id");--> statement-breakpoint
CREATE INDEX "run_schedule_due" ON "run_schedule" USING btree ("next_at") WHERE "run_schedule"."state" = 'active';