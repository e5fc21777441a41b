CREATE TABLE "device_rhythm" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"absences_seconds" integer[] DEFAULT '{}' NOT NULL,
	"away_since" timestamp with time zone,
	"connected_at" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"crashes" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "finding" (
	"rule" text NOT NULL,
	"device_id" uuid NOT NULL,
	"severity" text NOT NULL,
	"facts" jsonb NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	CONSTRAINT "finding_rule_device_id_pk" PRIMARY KEY("rule","device_id")
);
--> statement-breakpoint
CREATE TABLE "finding_check" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "finding_history" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"rule" text NOT NULL,
	"severity" text NOT NULL,
	"facts" jsonb NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "finding_progress" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"sealed_up_to" bigint NOT NULL,
	"swept_to" uuid,
	"swept" integer DEFAULT 0 NOT NULL,
	"sweep_ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "finding_by_device" ON "finding" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "finding_check_due" ON "finding_check" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "finding_history_by_device" ON "finding_history" USING btree ("device_id","closed_at");