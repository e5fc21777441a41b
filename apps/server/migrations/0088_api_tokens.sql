CREATE TABLE "api_token" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"owner_id" uuid,
	"created_by_id" uuid NOT NULL,
	"permissions" jsonb NOT NULL,
	"scope" jsonb NOT NULL,
	"role_ids" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"last_used_address" text,
	"revoked_at" timestamp with time zone,
	"owner_left_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "api_token_address" (
	"token_id" uuid NOT NULL,
	"address" text NOT NULL,
	"owner_id" uuid,
	"first_used_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	CONSTRAINT "api_token_address_token_id_address_pk" PRIMARY KEY("token_id","address")
);
--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"token_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_sha256" text NOT NULL,
	"is_done" boolean DEFAULT false NOT NULL,
	"at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	CONSTRAINT "idempotency_key_token_id_key_pk" PRIMARY KEY("token_id","key")
);
--> statement-breakpoint
ALTER TABLE "api_call" ADD COLUMN "api_token" text;--> statement-breakpoint
CREATE UNIQUE INDEX "api_token_by_hash" ON "api_token" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "api_token_of_owner" ON "api_token" USING btree ("owner_id") WHERE "api_token"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "api_token_by_age" ON "api_token" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "api_token_address_of_owner" ON "api_token_address" USING btree ("owner_id") WHERE "api_token_address"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "idempotency_key_by_age" ON "idempotency_key" USING btree ("at");--> statement-breakpoint
-- Whatever ends a user's access (an administrator, a directory, the identity provider) also ends their tokens. They stay
-- ended when access is restored.
CREATE FUNCTION end_api_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.api_token SET owner_left_at = public.portal_now()
  WHERE owner_id = new.id AND owner_left_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER portal_user_api_tokens AFTER UPDATE OF status ON portal_user FOR EACH ROW
  WHEN (old.status = 'Activated' AND new.status <> 'Activated')
  EXECUTE FUNCTION end_api_tokens();
