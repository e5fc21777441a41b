CREATE TABLE "held_erasure" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"person_id" uuid NOT NULL,
	"requested_by_id" uuid NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"begun_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "legal_hold" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"held_from" timestamp with time zone,
	"held_to" timestamp with time zone,
	"until" timestamp with time zone,
	"is_limited" boolean NOT NULL,
	"set_by_id" uuid NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	"release_reason" text DEFAULT '' NOT NULL,
	"release_requested_by_id" uuid,
	"release_requested_at" timestamp with time zone,
	"ended_by_id" uuid,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "legal_hold_subject" (
	"hold_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"is_named" boolean NOT NULL,
	CONSTRAINT "legal_hold_subject_hold_id_kind_subject_id_pk" PRIMARY KEY("hold_id","kind","subject_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "held_erasure_waiting" ON "held_erasure" USING btree ("person_id") WHERE "held_erasure"."begun_at" is null;--> statement-breakpoint
CREATE INDEX "legal_hold_newest" ON "legal_hold" USING btree ("set_at","id");--> statement-breakpoint
CREATE INDEX "legal_hold_standing" ON "legal_hold" USING btree ("id") WHERE "legal_hold"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "legal_hold_subject_by_id" ON "legal_hold_subject" USING btree ("subject_id","kind");