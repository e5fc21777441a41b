CREATE TABLE "air_blast" (
	"id" uuid PRIMARY KEY NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"name" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"step" text NOT NULL,
	"step_state" text NOT NULL,
	"paused_from" text,
	"state_reason" text DEFAULT '' NOT NULL,
	"needs_approval" boolean NOT NULL,
	"approved" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"command" text NOT NULL,
	"document_name" text NOT NULL,
	"document_version" integer NOT NULL,
	"document_sha256" text NOT NULL,
	"consequence" text NOT NULL,
	"platforms" jsonb NOT NULL,
	"parameters" jsonb NOT NULL,
	"masked_parameters" jsonb NOT NULL,
	"component" text,
	"version" text,
	"options" jsonb NOT NULL,
	"target_sha256" text NOT NULL,
	"target_count" integer NOT NULL,
	"radius" jsonb NOT NULL,
	"predicted_duration_ms" integer,
	"operator_id" uuid NOT NULL,
	"operator" text NOT NULL,
	"offered" boolean DEFAULT false NOT NULL,
	"role_session" text,
	"role_expires_at" timestamp with time zone,
	"token_issued_at" timestamp with time zone,
	"created_by_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "air_blast_approval" (
	"id" uuid PRIMARY KEY NOT NULL,
	"air_blast_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"target_sha256" text NOT NULL,
	"decision" text NOT NULL,
	"by_id" uuid NOT NULL,
	"by_name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"signature" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "air_blast_step" (
	"air_blast_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"step" text NOT NULL,
	"attempt" integer NOT NULL,
	"state" text NOT NULL,
	"operator_id" uuid NOT NULL,
	"operator" text NOT NULL,
	"started_as" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"evidence" jsonb NOT NULL,
	CONSTRAINT "air_blast_step_air_blast_id_revision_step_attempt_pk" PRIMARY KEY("air_blast_id","revision","step","attempt")
);
--> statement-breakpoint
CREATE TABLE "air_blast_target" (
	"air_blast_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"exclusion" text,
	"no_go" text[],
	"canary" boolean DEFAULT false NOT NULL,
	"run_id" uuid,
	"verify_run_id" uuid,
	"verified" boolean,
	CONSTRAINT "air_blast_target_air_blast_id_revision_device_id_pk" PRIMARY KEY("air_blast_id","revision","device_id")
);
--> statement-breakpoint
CREATE TABLE "air_blast_wave" (
	"air_blast_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"step" text NOT NULL,
	"attempt" integer NOT NULL,
	"wave" integer NOT NULL,
	"device_ids" uuid[] NOT NULL,
	"run_key" uuid NOT NULL,
	"kind" text DEFAULT 'change' NOT NULL,
	"max_errors" text,
	"run_id" uuid,
	"opened_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "air_blast_wave_air_blast_id_revision_step_attempt_wave_pk" PRIMARY KEY("air_blast_id","revision","step","attempt","wave")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "air_blast_idempotency" ON "air_blast" USING btree ("created_by_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "air_blast_newest" ON "air_blast" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "air_blast_running" ON "air_blast" USING btree ("id") WHERE "air_blast"."step_state" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "air_blast_approval_once" ON "air_blast_approval" USING btree ("air_blast_id","revision");--> statement-breakpoint
CREATE INDEX "air_blast_target_by_device" ON "air_blast_target" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "air_blast_wave_run_key" ON "air_blast_wave" USING btree ("run_key");