CREATE TABLE "audit_cold_file" (
	"file" text PRIMARY KEY NOT NULL,
	"month" text NOT NULL,
	"events" bigint NOT NULL,
	"first_id" uuid NOT NULL,
	"last_id" uuid NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"digest" "bytea" NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "audit_event_by_address" ON "audit_event" USING btree ("actor_address","at","id") WHERE "audit_event"."actor_address" is not null and "audit_event"."actor_kind" <> 'device';