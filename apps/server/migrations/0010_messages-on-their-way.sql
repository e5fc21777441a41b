CREATE TABLE "outgoing_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"kind" text NOT NULL,
	"person" text,
	"recipient_hash" text NOT NULL,
	"sealed" text,
	"state" text NOT NULL,
	"repeatable" boolean NOT NULL,
	"attempts" integer NOT NULL,
	"free_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "outbox_message" ADD COLUMN "html" text;--> statement-breakpoint
CREATE INDEX "outgoing_message_open" ON "outgoing_message" USING btree ("free_at") WHERE "outgoing_message"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "outgoing_message_open_by_recipient" ON "outgoing_message" USING btree ("recipient_hash") WHERE "outgoing_message"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "outgoing_message_ended" ON "outgoing_message" USING btree ("ended_at");