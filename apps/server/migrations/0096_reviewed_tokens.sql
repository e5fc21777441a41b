ALTER TABLE "access_review_line" ADD COLUMN "api_token_id" uuid;--> statement-breakpoint
ALTER TABLE "access_review_line" ADD COLUMN "api_token_name" text;