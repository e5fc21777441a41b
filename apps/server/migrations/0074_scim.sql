CREATE TABLE "scim_connection" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role_ids" jsonb NOT NULL,
	"token_hash" text NOT NULL,
	"previous_hash" text,
	"previous_ends_at" timestamp with time zone,
	"created_by_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_request_at" timestamp with time zone,
	"last_change_at" timestamp with time zone,
	"last_error_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "scim_group" (
	"role_id" uuid PRIMARY KEY NOT NULL,
	"external_id" text,
	"changed_at" timestamp with time zone DEFAULT portal_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scim_user" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid NOT NULL,
	"external_id" text,
	"profile" jsonb NOT NULL,
	"is_ended" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "scim_connection_by_token" ON "scim_connection" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "scim_connection_by_previous_token" ON "scim_connection" USING btree ("previous_hash");--> statement-breakpoint
CREATE INDEX "scim_user_by_external_id" ON "scim_user" USING btree ("external_id");