CREATE TABLE "re_enrolment_request" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"key_fingerprint" text NOT NULL,
	"machine" jsonb NOT NULL,
	"asked_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"decision" text,
	"decided_by" text,
	"elevation_id" uuid,
	CONSTRAINT "re_enrolment_request_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE INDEX "re_enrolment_request_by_end" ON "re_enrolment_request" USING btree ("expires_at");