CREATE TABLE "step_up" (
	"session_key" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"method" text NOT NULL,
	"confirmed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "portal_user" ADD COLUMN "email_changed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "portal_user" ADD COLUMN "phone_changed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "step_up_of_user" ON "step_up" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "step_up_by_time" ON "step_up" USING btree ("confirmed_at");--> statement-breakpoint
-- A replaced address receives no codes for a while that confirm a session: whoever uses that session could have replaced it.
CREATE FUNCTION note_contact_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF new.email IS NOT NULL AND lower(new.email) IS DISTINCT FROM lower(old.email) THEN
    new.email_changed_at := public.portal_now();
  END IF;
  IF new.phone IS NOT NULL AND new.phone IS DISTINCT FROM old.phone THEN
    new.phone_changed_at := public.portal_now();
  END IF;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER portal_user_contact_times BEFORE UPDATE OF email, phone ON portal_user FOR EACH ROW
  WHEN ((old.email, old.phone) IS DISTINCT FROM (new.email, new.phone))
  EXECUTE FUNCTION note_contact_change();
