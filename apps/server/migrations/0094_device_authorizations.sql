CREATE TABLE "device_authorization" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_code_hash" text NOT NULL,
	"user_code" text NOT NULL,
	"client_id" text NOT NULL,
	"requested_permissions" jsonb NOT NULL,
	"address" text NOT NULL,
	"address_bucket" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"interval_seconds" integer NOT NULL,
	"last_asked_at" timestamp with time zone,
	"decided_by_id" uuid,
	"approved" jsonb,
	"token_id" uuid
);
--> statement-breakpoint
CREATE TABLE "user_code_failure" (
	"source" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"failures" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "device_authorization_by_device_code" ON "device_authorization" USING btree ("device_code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "device_authorization_by_user_code" ON "device_authorization" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "device_authorization_by_expiry" ON "device_authorization" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "device_authorization_of_user" ON "device_authorization" USING btree ("decided_by_id") WHERE "device_authorization"."decided_by_id" is not null;--> statement-breakpoint
CREATE INDEX "user_code_failure_of_user" ON "user_code_failure" USING btree ("user_id") WHERE "user_code_failure"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "user_code_failure_by_time" ON "user_code_failure" USING btree ("until");--> statement-breakpoint
-- A user whose access ends also gives no token to an application that they have approved before.
CREATE OR REPLACE FUNCTION end_api_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.api_token SET owner_left_at = public.portal_now()
  WHERE (owner_id = new.id OR kind = 'service' AND created_by_id = new.id) AND owner_left_at IS NULL;
  UPDATE public.device_authorization SET state = 'denied' WHERE decided_by_id = new.id AND state = 'approved';
  RETURN NULL;
END $$;
