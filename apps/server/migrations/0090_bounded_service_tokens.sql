ALTER TABLE "api_token" ADD COLUMN "role_grants" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "api_token_of_service_by_creator" ON "api_token" USING btree ("created_by_id") WHERE "api_token"."kind" = 'service';--> statement-breakpoint
-- What the roles of existing service tokens allow now, so that they gain nothing later.
UPDATE api_token SET role_grants = coalesce((
  SELECT jsonb_object_agg(r.id, jsonb_build_object('permissions', r.permissions, 'scope', r.scope))
  FROM role r WHERE api_token.role_ids ? r.id::text), '{}')
WHERE kind = 'service';
--> statement-breakpoint
-- Who created a service token knows it, so it also ends with their access.
CREATE OR REPLACE FUNCTION end_api_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.api_token SET owner_left_at = public.portal_now()
  WHERE (owner_id = new.id OR kind = 'service' AND created_by_id = new.id) AND owner_left_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE api_token SET owner_left_at = portal_now()
WHERE kind = 'service' AND owner_left_at IS NULL
  AND NOT EXISTS (
    SELECT FROM portal_user u WHERE u.id = api_token.created_by_id AND u.status = 'Activated');
