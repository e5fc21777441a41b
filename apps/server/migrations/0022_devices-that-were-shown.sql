CREATE TABLE "shown_target" (
	"sha256" text PRIMARY KEY NOT NULL,
	"device_ids" uuid[] NOT NULL,
	"shown_at" timestamp with time zone NOT NULL
);
