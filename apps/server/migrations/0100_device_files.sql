CREATE TABLE "device_file_request" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"username" text NOT NULL,
	"action" text NOT NULL,
	"path" text NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"failure" text,
	"statement" jsonb,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"sent_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"active_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"ended_at" timestamp with time zone,
	"page" jsonb,
	"part" text,
	"overwrites" boolean DEFAULT false NOT NULL,
	"bytes" bigint,
	"received_bytes" bigint DEFAULT 0 NOT NULL,
	"start" bigint DEFAULT 0 NOT NULL,
	"total_bytes" bigint,
	"sha256" text,
	"storage_key" text
);
--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "files_offer" text;--> statement-breakpoint
CREATE INDEX "device_file_request_of_device" ON "device_file_request" USING btree ("device_id","created_at");--> statement-breakpoint
CREATE INDEX "device_file_request_of_user" ON "device_file_request" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_file_request_by_time" ON "device_file_request" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "device_file_request_open" ON "device_file_request" USING btree ("active_at") WHERE "device_file_request"."state" in ('receiving', 'sent');--> statement-breakpoint
CREATE INDEX "device_file_request_content" ON "device_file_request" USING btree ("storage_key") WHERE "device_file_request"."storage_key" is not null;