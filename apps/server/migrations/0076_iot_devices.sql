CREATE TABLE "connection_event" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"is_connected" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registered_certificate" (
	"fingerprint" text PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"instance_id" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"registered_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE INDEX "registered_certificate_by_device" ON "registered_certificate" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "registered_certificate_by_end" ON "registered_certificate" USING btree ("ends_at");