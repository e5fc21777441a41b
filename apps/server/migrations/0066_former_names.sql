CREATE TABLE "user_former_name" (
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "user_former_name_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
CREATE FUNCTION keep_former_names() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO public.user_former_name (user_id, name)
    SELECT old.id, former.name FROM unnest(ARRAY[old.username, old.name, old.email, old.phone]) AS former(name)
    WHERE former.name <> '' AND former.name NOT IN (
      SELECT current.name FROM unnest(ARRAY[new.username, new.name, new.email, new.phone]) AS current(name)
      WHERE current.name IS NOT NULL)
      AND (SELECT count(*) FROM public.user_former_name WHERE user_id = old.id) < 1000
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER portal_user_former_names AFTER UPDATE OF username, name, email, phone ON portal_user FOR EACH ROW
  WHEN (new.erased_at IS NULL
    AND (old.username, old.name, old.email, old.phone) IS DISTINCT FROM (new.username, new.name, new.email, new.phone))
  EXECUTE FUNCTION keep_former_names();
