CREATE TABLE "person_key" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person" text NOT NULL,
	"sealed" text,
	"fingerprint" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"destroyed_at" timestamp with time zone,
	CONSTRAINT "person_key_person_unique" UNIQUE("person")
);
--> statement-breakpoint
ALTER TABLE "portal_user" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "person" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "person_key_destroyed" ON "person_key" USING btree ("destroyed_at");
--> statement-breakpoint
-- A destroyed key stays destroyed, whatever is written over this connection: a row never goes, and only the seal of a
-- key that exists changes.
CREATE FUNCTION keep_person_key() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR old.sealed IS NULL
    OR (old.id, old.person, old.fingerprint) IS DISTINCT FROM (new.id, new.person, new.fingerprint)
    OR (new.sealed IS NULL) <> (new.destroyed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the key of a person can be destroyed and nothing else' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER person_key_kept BEFORE UPDATE OR DELETE ON person_key FOR EACH ROW EXECUTE FUNCTION keep_person_key();
--> statement-breakpoint
CREATE TRIGGER person_key_not_truncated BEFORE TRUNCATE ON person_key FOR EACH STATEMENT EXECUTE FUNCTION keep_person_key();
--> statement-breakpoint
-- What was taken out of a person's row stays out, whichever write comes late or from elsewhere.
CREATE FUNCTION keep_user_erased() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  new.username := old.username;
  new.name := old.name;
  new.email := NULL;
  new.phone := NULL;
  new.note := '';
  new.preferences := '{}';
  new.status := old.status;
  new.in_admin_group := false;
  new.admitted_at := NULL;
  new.erased_at := old.erased_at;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER portal_user_stays_erased BEFORE UPDATE ON portal_user FOR EACH ROW
  WHEN (old.erased_at IS NOT NULL) EXECUTE FUNCTION keep_user_erased();
--> statement-breakpoint
CREATE FUNCTION keep_person_erased() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  new.username := old.username;
  new.name := old.name;
  new.email := NULL;
  new.phone := NULL;
  new.country := NULL;
  new.language := NULL;
  new.user_id := NULL;
  new.erased_at := old.erased_at;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER person_stays_erased BEFORE UPDATE ON person FOR EACH ROW
  WHEN (old.erased_at IS NOT NULL) EXECUTE FUNCTION keep_person_erased();
