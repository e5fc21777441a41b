CREATE TABLE "terminal_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"position" bigint NOT NULL,
	"after_ms" integer NOT NULL,
	"data" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terminal_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"username" text NOT NULL,
	"sign_in_id" text,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ended_by_id" uuid,
	"exit_code" integer,
	"obstacle" text,
	"account" text,
	"columns" integer NOT NULL,
	"rows" integer NOT NULL,
	"attachment" integer DEFAULT 0 NOT NULL,
	"recorded_bytes" bigint DEFAULT 0 NOT NULL,
	"sha256" text,
	"expired_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "terminal_offer" text;--> statement-breakpoint
CREATE INDEX "terminal_event_of_session" ON "terminal_event" USING btree ("session_id","id");--> statement-breakpoint
CREATE INDEX "terminal_session_of_device" ON "terminal_session" USING btree ("device_id","opened_at");--> statement-breakpoint
CREATE INDEX "terminal_session_of_user" ON "terminal_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "terminal_session_by_time" ON "terminal_session" USING btree ("opened_at");--> statement-breakpoint
CREATE INDEX "terminal_session_open" ON "terminal_session" USING btree ("seen_at") WHERE "terminal_session"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "terminal_session_unsealed" ON "terminal_session" USING btree ("ended_at") WHERE "terminal_session"."state" = 'ended' and "terminal_session"."sha256" is null;