CREATE TABLE "webhook" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"event_types" text[] NOT NULL,
	"sealed" text NOT NULL,
	"rotating_until" timestamp with time zone,
	"paused_because" text,
	"paused_at" timestamp with time zone,
	"prepared_up_to" bigint NOT NULL,
	"next_number" bigint DEFAULT 1 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_ids" uuid[] NOT NULL,
	"first_number" bigint NOT NULL,
	"gap_until" timestamp with time zone,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"free_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"status" integer,
	"duration_ms" integer,
	"created_at" timestamp with time zone NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "webhook_of_owner" ON "webhook" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "webhook_active" ON "webhook" USING btree ("prepared_up_to") WHERE "webhook"."paused_because" is null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_open" ON "webhook_delivery" USING btree ("free_at") WHERE "webhook_delivery"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_of_webhook" ON "webhook_delivery" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_ended" ON "webhook_delivery" USING btree ("ended_at");