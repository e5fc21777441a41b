CREATE TABLE "report" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"person_id" uuid NOT NULL,
	"case_id" uuid,
	"from_at" timestamp with time zone NOT NULL,
	"to_at" timestamp with time zone NOT NULL,
	"parts" jsonb NOT NULL,
	"language" text NOT NULL,
	"voice" text NOT NULL,
	"paper" text NOT NULL,
	"precise" boolean NOT NULL,
	"state" text NOT NULL,
	"progress" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"device_ids" uuid[] DEFAULT '{}' NOT NULL,
	"finding_count" integer DEFAULT 0 NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"failure" text,
	"created_by_id" uuid NOT NULL,
	"created_by_subject" text NOT NULL,
	"created_by" text NOT NULL,
	"address" text,
	"request_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"beat_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_share" (
	"id" uuid PRIMARY KEY NOT NULL,
	"report_id" uuid NOT NULL,
	"redaction" jsonb NOT NULL,
	"created_by_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"openings" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "report_newest" ON "report" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "report_by_person" ON "report" USING btree ("person_id","created_at","id");--> statement-breakpoint
CREATE INDEX "report_open" ON "report" USING btree ("created_at") WHERE "report"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "report_share_by_report" ON "report_share" USING btree ("report_id","created_at");