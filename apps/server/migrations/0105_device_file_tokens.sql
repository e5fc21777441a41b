ALTER TABLE "device_file_request" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "device_file_request" ADD COLUMN "token_name" text;