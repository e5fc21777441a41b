ALTER TABLE "claim" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "claim_device" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
UPDATE "claim" SET "created_by_id" = u."id" FROM "portal_user" u WHERE "created_by_id" IS NULL AND u."username" = "claim"."created_by";
