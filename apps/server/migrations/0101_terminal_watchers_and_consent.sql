CREATE TABLE "terminal_model_consent" (
	"model" text PRIMARY KEY NOT NULL,
	"consent" text NOT NULL,
	"changed_by_id" uuid NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT portal_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terminal_watcher" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"username" text NOT NULL,
	"joined_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT portal_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "terminal_consent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "needs_consent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "request_sha256" text;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "consent_asked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "terminal_watcher_of_session" ON "terminal_watcher" USING btree ("session_id");