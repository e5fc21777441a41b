CREATE TABLE "portal_user" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"username" text NOT NULL,
	"email" text,
	"phone" text,
	"name" text NOT NULL,
	"status" text DEFAULT 'Activated' NOT NULL,
	"preferences" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"last_sign_in_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "portal_user_subject_unique" UNIQUE("subject")
);
--> statement-breakpoint
CREATE TABLE "recent_item" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"label" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recent_item_user_id_kind_item_id_pk" PRIMARY KEY("user_id","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "role" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"permissions" jsonb NOT NULL,
	"scope" jsonb NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_role" (
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "user_role_user_id_role_id_pk" PRIMARY KEY("user_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "api_call" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"user_id" text,
	"username" text,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"path" text NOT NULL,
	"batch_size" integer NOT NULL,
	"duration_ms" double precision NOT NULL,
	"status" integer NOT NULL,
	"error_code" integer,
	"request_id" text NOT NULL,
	"input" text
);
--> statement-breakpoint
CREATE TABLE "audit_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"device_id" uuid,
	"type" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"actor_address" text,
	"case_id" uuid,
	"request_id" text,
	"run_id" uuid,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_seal" (
	"sequence" bigint PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	CONSTRAINT "audit_seal_event_id_unique" UNIQUE("event_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"event_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "command_definition" (
	"command" text PRIMARY KEY NOT NULL,
	"document_name" text,
	"consequence" text NOT NULL,
	"needs_serial_number" boolean DEFAULT false NOT NULL,
	"command_group" text NOT NULL,
	"description" text NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "command_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"command" text NOT NULL,
	"document_name" text NOT NULL,
	"document_version" integer NOT NULL,
	"document_sha256" text NOT NULL,
	"consequence" text NOT NULL,
	"parameters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"masked_parameters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"target" jsonb NOT NULL,
	"target_sha256" text NOT NULL,
	"max_concurrency" text NOT NULL,
	"max_errors" text NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"execution_timeout_seconds" integer NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"status_details" text NOT NULL,
	"ramp_limit" integer DEFAULT 1 NOT NULL,
	"target_count" integer NOT NULL,
	"pending_count" integer NOT NULL,
	"in_progress_count" integer DEFAULT 0 NOT NULL,
	"success_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"timed_out_count" integer DEFAULT 0 NOT NULL,
	"cancelled_count" integer DEFAULT 0 NOT NULL,
	"created_by_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"deliver_before" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invocation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"instance_id" text,
	"state" text NOT NULL,
	"status_details" text NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"response_code" integer,
	"queued_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"news_at" timestamp with time zone,
	"deliver_before" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"cancel_requested_at" timestamp with time zone,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"output_preview" text DEFAULT '' NOT NULL,
	"stdout_length" bigint DEFAULT 0 NOT NULL,
	"stderr_length" bigint DEFAULT 0 NOT NULL,
	"output_truncated" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invocation_artefact" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invocation_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invocation_output" (
	"invocation_id" uuid NOT NULL,
	"stream" text NOT NULL,
	"offset" bigint NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "invocation_output_invocation_id_stream_offset_pk" PRIMARY KEY("invocation_id","stream","offset")
);
--> statement-breakpoint
CREATE TABLE "claim" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"model" text,
	"owner_id" uuid,
	"country" text,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"uses" integer NOT NULL,
	"uses_left" integer NOT NULL,
	"only_recorded" boolean DEFAULT false NOT NULL,
	"device_id" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "claim_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "claim_device" (
	"claim_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	CONSTRAINT "claim_device_claim_id_device_id_pk" PRIMARY KEY("claim_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"serial_number" text,
	"name" text NOT NULL,
	"model" text,
	"hardware_revision" text,
	"owner_id" uuid,
	"country" text,
	"time_zone" text,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"lifecycle" text NOT NULL,
	"search_text" text DEFAULT '' NOT NULL,
	"serial_rank" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "device_serial_number_unique" UNIQUE("serial_number")
);
--> statement-breakpoint
CREATE TABLE "device_instance" (
	"id" text PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"state" text NOT NULL,
	"platform_type" text NOT NULL,
	"platform_name" text NOT NULL,
	"platform_version" text NOT NULL,
	"architecture" text NOT NULL,
	"agent_version" text NOT NULL,
	"host_name" text NOT NULL,
	"ip_address" text,
	"enrolled_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_ping_at" timestamp with time zone,
	"certificate_fingerprint" text NOT NULL,
	"certificate_ends_at" timestamp with time zone NOT NULL,
	"journal_epoch" uuid,
	"journal_up_to" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_inventory" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_label" (
	"key" text NOT NULL,
	"value" text NOT NULL,
	"device_id" uuid NOT NULL,
	"serial_rank" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "device_label_device_id_key_pk" PRIMARY KEY("device_id","key")
);
--> statement-breakpoint
CREATE TABLE "device_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"text" text NOT NULL,
	"author_id" uuid NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_status" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"connectivity" text DEFAULT 'never' NOT NULL,
	"connectivity_since" timestamp with time zone,
	"seen_rank" timestamptz DEFAULT '-infinity' NOT NULL,
	"last_seen_at" timestamp with time zone,
	"disconnect_reason" text,
	"connection_id" uuid,
	"failing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"disk_used_percent" double precision,
	"memory_used_percent" double precision,
	"uptime_seconds" double precision,
	"heartbeat_at" timestamp with time zone,
	"instance_id" text,
	"agent_version" text,
	"platform" text,
	"ip_address" text,
	"software_version" text,
	"country" text,
	"model" text,
	"lifecycle" text DEFAULT 'pending' NOT NULL,
	"serial_rank" text DEFAULT '' NOT NULL,
	"name" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_view" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"screen" text NOT NULL,
	"search" jsonb NOT NULL,
	"shared_with_role" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "target_list" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "target_list_entry" (
	"list_id" uuid NOT NULL,
	"serial_number" text NOT NULL,
	CONSTRAINT "target_list_entry_list_id_serial_number_pk" PRIMARY KEY("list_id","serial_number")
);
--> statement-breakpoint
CREATE TABLE "document" (
	"name" text PRIMARY KEY NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"consequence" text NOT NULL,
	"secret_parameters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	"default_version" integer NOT NULL,
	"latest_version" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "document_version" (
	"document_name" text NOT NULL,
	"version" integer NOT NULL,
	"format" text NOT NULL,
	"content" text NOT NULL,
	"parsed" jsonb NOT NULL,
	"sha256" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reviewed_by" text,
	CONSTRAINT "document_version_document_name_version_pk" PRIMARY KEY("document_name","version")
);
--> statement-breakpoint
CREATE TABLE "device_location" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"latitude" double precision NOT NULL,
	"longitude" double precision NOT NULL,
	"accuracy_meters" double precision NOT NULL,
	"source" text NOT NULL,
	"country" text
);
--> statement-breakpoint
CREATE TABLE "geolocation" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"latitude" double precision NOT NULL,
	"longitude" double precision NOT NULL,
	"accuracy_meters" double precision NOT NULL,
	"source" text NOT NULL,
	"country" text
);
--> statement-breakpoint
CREATE TABLE "outbox_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"channel" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"code" text,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "person" (
	"id" uuid PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"phone" text,
	"country" text,
	"language" text,
	"user_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "person_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_version" (
	"device_id" uuid NOT NULL,
	"component" text NOT NULL,
	"version" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"reported_at" timestamp with time zone NOT NULL,
	CONSTRAINT "device_version_device_id_component_pk" PRIMARY KEY("device_id","component")
);
--> statement-breakpoint
CREATE TABLE "device_version_history" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"component" text NOT NULL,
	"version" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "software_version" (
	"component" text NOT NULL,
	"version" text NOT NULL,
	"models" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"channel" text DEFAULT 'stable' NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"released_at" timestamp with time zone,
	"notes" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "software_version_component_version_pk" PRIMARY KEY("component","version")
);
--> statement-breakpoint
CREATE TABLE "version_approval" (
	"component" text NOT NULL,
	"model" text NOT NULL,
	"country" text DEFAULT '*' NOT NULL,
	"version" text NOT NULL,
	"approved_by" text NOT NULL,
	"approved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mandatory_from" timestamp with time zone,
	CONSTRAINT "version_approval_component_model_country_pk" PRIMARY KEY("component","model","country")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "role_by_name" ON "role" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "api_call_newest" ON "api_call" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "api_call_by_user" ON "api_call" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "api_call_by_path" ON "api_call" USING btree ("path","at");--> statement-breakpoint
CREATE INDEX "api_call_by_request" ON "api_call" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "audit_event_newest" ON "audit_event" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_event_by_device" ON "audit_event" USING btree ("device_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_event_by_type" ON "audit_event" USING btree ("type","at","id");--> statement-breakpoint
CREATE INDEX "audit_event_by_actor" ON "audit_event" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_event_by_request" ON "audit_event" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "audit_event_by_run" ON "audit_event" USING btree ("run_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "command_run_idempotency" ON "command_run" USING btree ("created_by_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "command_run_newest" ON "command_run" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "command_run_by_document" ON "command_run" USING btree ("document_name","created_at");--> statement-breakpoint
CREATE INDEX "command_run_open" ON "command_run" USING btree ("created_at") WHERE "command_run"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "invocation_by_run" ON "invocation" USING btree ("run_id","state","id");--> statement-breakpoint
CREATE INDEX "invocation_by_device" ON "invocation" USING btree ("device_id","queued_at","id");--> statement-breakpoint
CREATE INDEX "invocation_open_by_device" ON "invocation" USING btree ("device_id") WHERE "invocation"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "invocation_open_by_expiry" ON "invocation" USING btree ("expires_at") WHERE "invocation"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "invocation_undelivered" ON "invocation" USING btree ("deliver_before") WHERE "invocation"."ended_at" is null and "invocation"."started_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invocation_artefact_by_name" ON "invocation_artefact" USING btree ("invocation_id","name");--> statement-breakpoint
CREATE INDEX "claim_by_expiry" ON "claim" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "device_by_serial" ON "device" USING btree ("serial_rank" collate "C","id");--> statement-breakpoint
CREATE INDEX "device_by_name" ON "device" USING btree ("name" collate "C","id");--> statement-breakpoint
CREATE INDEX "device_by_owner" ON "device" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "device_country_serial" ON "device" USING btree ("country","serial_rank" collate "C","id");--> statement-breakpoint
CREATE INDEX "device_country_name" ON "device" USING btree ("country","name" collate "C","id");--> statement-breakpoint
CREATE INDEX "device_model_serial" ON "device" USING btree ("model","serial_rank" collate "C","id");--> statement-breakpoint
CREATE INDEX "device_model_name" ON "device" USING btree ("model","name" collate "C","id");--> statement-breakpoint
CREATE INDEX "device_lifecycle_serial" ON "device" USING btree ("lifecycle","serial_rank" collate "C","id") WHERE "device"."lifecycle" <> 'active';--> statement-breakpoint
CREATE INDEX "device_lifecycle_name" ON "device" USING btree ("lifecycle","name" collate "C","id") WHERE "device"."lifecycle" <> 'active';--> statement-breakpoint
CREATE INDEX "device_search" ON "device" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "device_labels" ON "device" USING gin ("labels" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "device_instance_by_device" ON "device_instance" USING btree ("device_id","enrolled_at");--> statement-breakpoint
CREATE UNIQUE INDEX "device_instance_current" ON "device_instance" USING btree ("device_id") WHERE "device_instance"."state" = 'current';--> statement-breakpoint
CREATE INDEX "device_label_by_serial" ON "device_label" USING btree ("key","value","serial_rank" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "device_label_by_name" ON "device_label" USING btree ("key","value","name" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "device_note_by_device" ON "device_note" USING btree ("device_id","created_at");--> statement-breakpoint
CREATE INDEX "device_status_by_seen" ON "device_status" USING btree ("seen_rank","device_id");--> statement-breakpoint
CREATE INDEX "device_status_connectivity" ON "device_status" USING btree ("connectivity","seen_rank","device_id");--> statement-breakpoint
CREATE INDEX "device_status_country" ON "device_status" USING btree ("country","seen_rank","device_id");--> statement-breakpoint
CREATE INDEX "device_status_model" ON "device_status" USING btree ("model","seen_rank","device_id");--> statement-breakpoint
CREATE INDEX "device_status_connectivity_serial" ON "device_status" USING btree ("connectivity","serial_rank" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "device_status_connectivity_name" ON "device_status" USING btree ("connectivity","name" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "device_status_lifecycle" ON "device_status" USING btree ("lifecycle","seen_rank","device_id") WHERE "device_status"."lifecycle" <> 'active';--> statement-breakpoint
CREATE INDEX "device_status_failing_seen" ON "device_status" USING btree ("seen_rank","device_id") WHERE "device_status"."failing" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX "device_status_failing_serial" ON "device_status" USING btree ("serial_rank" collate "C","device_id") WHERE "device_status"."failing" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX "device_status_failing_name" ON "device_status" USING btree ("name" collate "C","device_id") WHERE "device_status"."failing" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX "saved_view_by_owner" ON "saved_view" USING btree ("owner_id","screen");--> statement-breakpoint
CREATE INDEX "document_by_updated" ON "document" USING btree ("updated_at","name");--> statement-breakpoint
CREATE INDEX "geolocation_by_device" ON "geolocation" USING btree ("device_id","at");--> statement-breakpoint
CREATE INDEX "outbox_message_newest" ON "outbox_message" USING btree ("sent_at","id");--> statement-breakpoint
CREATE INDEX "person_name" ON "person" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "person_email" ON "person" USING btree (lower("email") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "person_phone" ON "person" USING btree ("phone" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "person_text" ON "person" USING gin (lower("name" || ' ' || "username" || ' ' || coalesce("email", '') || ' ' || coalesce("phone", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "device_version_by_version" ON "device_version" USING btree ("component","version","device_id");--> statement-breakpoint
CREATE INDEX "device_version_history_by_device" ON "device_version_history" USING btree ("device_id","at");