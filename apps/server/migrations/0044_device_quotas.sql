CREATE TABLE "device_overflow" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"counts" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invocation_artefact" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "certificate_starts_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "journal_tokens" double precision;--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "journal_tokens_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "invocation_artefact_by_device" ON "invocation_artefact" USING btree ("device_id","created_at");--> statement-breakpoint
UPDATE "device_instance" SET "certificate_starts_at" = "certificate_ends_at" - interval '90 days';--> statement-breakpoint
UPDATE "invocation_artefact" a SET "device_id" = i."device_id" FROM "invocation" i WHERE i."id" = a."invocation_id";
