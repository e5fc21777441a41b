CREATE TABLE "device_contact" (
	"at" timestamp with time zone NOT NULL,
	"device_ids" uuid[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_status" ADD COLUMN "heartbeat_seconds" integer;--> statement-breakpoint
CREATE INDEX "device_contact_at" ON "device_contact" USING btree ("at");