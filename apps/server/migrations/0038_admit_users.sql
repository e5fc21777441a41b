ALTER TABLE "portal_user" ADD COLUMN "admitted_at" timestamp with time zone;--> statement-breakpoint
UPDATE "portal_user" u SET "admitted_at" = now()
WHERE "in_admin_group" OR "last_sign_in_at" IS NULL OR "note" <> '' OR EXISTS (SELECT FROM "user_role" r WHERE r."user_id" = u."id");
