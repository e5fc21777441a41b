CREATE TABLE "managed_instance" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"instance_id" text NOT NULL,
	"resource_type" text NOT NULL,
	"listed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "managed_instance_instance_id_unique" UNIQUE("instance_id")
);
--> statement-breakpoint
CREATE TABLE "ssm_batch" (
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"command_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ssm_batch_invocation" (
	"invocation_id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"instance_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ssm_document" (
	"region" text NOT NULL,
	"name" text NOT NULL,
	"content_sha256" text NOT NULL,
	"version" text NOT NULL,
	"hash" text NOT NULL,
	"hash_type" text NOT NULL,
	"published_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	CONSTRAINT "ssm_document_region_name_content_sha256_pk" PRIMARY KEY("region","name","content_sha256")
);
--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "engine" text DEFAULT 'agent' NOT NULL;--> statement-breakpoint
CREATE INDEX "ssm_batch_due" ON "ssm_batch" USING btree ("due_at") WHERE "ssm_batch"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "ssm_batch_by_command" ON "ssm_batch" USING btree ("command_id") WHERE "ssm_batch"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "ssm_batch_ended" ON "ssm_batch" USING btree ("ended_at") WHERE "ssm_batch"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "ssm_batch_invocation_by_batch" ON "ssm_batch_invocation" USING btree ("batch_id");