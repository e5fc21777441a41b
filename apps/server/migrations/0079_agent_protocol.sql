ALTER TABLE "command_run" ADD COLUMN "protocol" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "protocol" integer;