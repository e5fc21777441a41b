ALTER TABLE "command_run" ADD COLUMN "paused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "command_run" ADD COLUMN "paused_by" text;