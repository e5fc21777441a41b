CREATE TABLE "web_page_path" (
	"session_id" uuid NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "web_page_path_session_id_method_path_pk" PRIMARY KEY("session_id","method","path")
);
--> statement-breakpoint
CREATE TABLE "web_page_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"username" text NOT NULL,
	"reason" text NOT NULL,
	"port" integer NOT NULL,
	"title" text NOT NULL,
	"state" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"used_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ended_by_id" uuid,
	"obstacle" text,
	"needs_consent" boolean DEFAULT false NOT NULL,
	"request_sha256" text NOT NULL,
	"consent_asked_at" timestamp with time zone,
	"label" text NOT NULL,
	"holder" jsonb NOT NULL,
	"scopes" jsonb NOT NULL,
	"link_sha256" text,
	"link_ends_at" timestamp with time zone,
	"cookie_sha256" text,
	"requests" bigint DEFAULT 0 NOT NULL,
	"sent_bytes" bigint DEFAULT 0 NOT NULL,
	"received_bytes" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "web_pages" text;--> statement-breakpoint
CREATE UNIQUE INDEX "web_page_session_label" ON "web_page_session" USING btree ("label");--> statement-breakpoint
CREATE INDEX "web_page_session_of_device" ON "web_page_session" USING btree ("device_id","opened_at");--> statement-breakpoint
CREATE INDEX "web_page_session_of_user" ON "web_page_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "web_page_session_open" ON "web_page_session" USING btree ("opened_at") WHERE "web_page_session"."state" <> 'ended';