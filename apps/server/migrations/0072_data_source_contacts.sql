CREATE TABLE "source_contact" (
	"source" text NOT NULL,
	"server" uuid NOT NULL,
	"server_name" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"last_answer_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"fault" text,
	"delay_ms" bigint,
	"waiting" bigint,
	"calls" bigint NOT NULL,
	"failed_calls" bigint NOT NULL,
	CONSTRAINT "source_contact_source_server_pk" PRIMARY KEY("source","server")
);
--> statement-breakpoint
ALTER TABLE "feed_outgoing" ADD COLUMN "queued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "feed_state" ADD COLUMN "read_fault_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "feed_state" ADD COLUMN "write_fault_since" timestamp with time zone;