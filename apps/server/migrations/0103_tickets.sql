CREATE TABLE "case_ticket" (
	"case_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"external_id" text,
	"key" text,
	"url" text,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"case_id" uuid NOT NULL,
	"act" text NOT NULL,
	"entry_id" uuid,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"free_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ticket_system" (
	"id" uuid PRIMARY KEY NOT NULL,
	"is_only" boolean DEFAULT true NOT NULL,
	"settings" jsonb NOT NULL,
	"sealed" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	CONSTRAINT "ticket_system_is_only_unique" UNIQUE("is_only")
);
--> statement-breakpoint
CREATE INDEX "ticket_delivery_open" ON "ticket_delivery" USING btree ("free_at") WHERE "ticket_delivery"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "ticket_delivery_of_case" ON "ticket_delivery" USING btree ("case_id","id");--> statement-breakpoint
CREATE INDEX "ticket_delivery_ended" ON "ticket_delivery" USING btree ("ended_at");