CREATE TABLE "alert" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"rule_name" text NOT NULL,
	"severity" text NOT NULL,
	"filter" jsonb NOT NULL,
	"condition" jsonb NOT NULL,
	"unit" text NOT NULL,
	"above" double precision NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"reason" text,
	"matching" integer NOT NULL,
	"total" integer NOT NULL,
	"peak" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"alert_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"destination_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"event" text NOT NULL,
	"notice" jsonb NOT NULL,
	"sealed" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"free_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "alert_destination" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"sealed" text NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rule" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"severity" text NOT NULL,
	"enabled" boolean NOT NULL,
	"muted_until" timestamp with time zone,
	"filter" jsonb NOT NULL,
	"condition" jsonb NOT NULL,
	"unit" text NOT NULL,
	"above" double precision NOT NULL,
	"resolve_at" double precision NOT NULL,
	"hold_minutes" integer NOT NULL,
	"resolve_minutes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"phase" text DEFAULT 'ok' NOT NULL,
	"phase_since" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"matching" integer,
	"total" integer,
	"evaluated_at" timestamp with time zone,
	"next_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"problem" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_firing" ON "alert" USING btree ("rule_id") WHERE "alert"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "alert_by_start" ON "alert" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "alert_of_owner" ON "alert" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "alert_by_end" ON "alert" USING btree ("resolved_at");--> statement-breakpoint
CREATE INDEX "alert_delivery_open" ON "alert_delivery" USING btree ("free_at") WHERE "alert_delivery"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "alert_delivery_of_alert" ON "alert_delivery" USING btree ("alert_id","id");--> statement-breakpoint
CREATE INDEX "alert_delivery_of_owner" ON "alert_delivery" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "alert_delivery_ended" ON "alert_delivery" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "alert_destination_of_rule" ON "alert_destination" USING btree ("rule_id");--> statement-breakpoint
CREATE INDEX "alert_destination_of_owner" ON "alert_destination" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "alert_rule_due" ON "alert_rule" USING btree ("next_at") WHERE "alert_rule"."enabled";--> statement-breakpoint
CREATE INDEX "alert_rule_of_owner" ON "alert_rule" USING btree ("owner_id");