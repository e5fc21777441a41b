CREATE TABLE "feed_outgoing" (
	"source" text NOT NULL,
	"key" text NOT NULL,
	"sort_key" text DEFAULT '' NOT NULL,
	"seq" bigserial NOT NULL,
	"is_erased" boolean DEFAULT false NOT NULL,
	CONSTRAINT "feed_outgoing_source_key_sort_key_pk" PRIMARY KEY("source","key","sort_key")
);
--> statement-breakpoint
CREATE TABLE "feed_rejection" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"key" text NOT NULL,
	"reason" text NOT NULL,
	"detail" text NOT NULL,
	"at" timestamp with time zone DEFAULT portal_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_state" (
	"source" text PRIMARY KEY NOT NULL,
	"target" text NOT NULL,
	"since" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"cursor" jsonb,
	"turn" integer DEFAULT 0 NOT NULL,
	"reads" text DEFAULT 'table' NOT NULL,
	"last_read_at" timestamp with time zone,
	"last_change_at" timestamp with time zone,
	"lag_ms" bigint,
	"applied" bigint DEFAULT 0 NOT NULL,
	"rejected" bigint DEFAULT 0 NOT NULL,
	"last_write_at" timestamp with time zone,
	"written" bigint DEFAULT 0 NOT NULL,
	"full_since" timestamp with time zone,
	"all_after" text,
	"all_horizon" bigint,
	"read_fault" text,
	"write_fault" text,
	"last_fault" text,
	"last_fault_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "software_version" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "feed_outgoing_by_seq" ON "feed_outgoing" USING btree ("source","seq");--> statement-breakpoint
CREATE INDEX "feed_rejection_by_source" ON "feed_rejection" USING btree ("source","id");