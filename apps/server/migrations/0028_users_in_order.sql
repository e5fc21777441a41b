ALTER TABLE "portal_user" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "portal_user_by_username" ON "portal_user" USING btree (lower("username"),"id");--> statement-breakpoint
CREATE INDEX "portal_user_by_last_sign_in" ON "portal_user" USING btree (coalesce("last_sign_in_at", '-infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "portal_user_by_age" ON "portal_user" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "user_role_by_role" ON "user_role" USING btree ("role_id");