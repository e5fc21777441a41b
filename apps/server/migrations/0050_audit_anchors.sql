CREATE TABLE "audit_anchor_progress" (
	"target" text PRIMARY KEY NOT NULL,
	"delivered" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "audit_time_stamp" (
	"block" bigint PRIMARY KEY NOT NULL,
	"token" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER audit_time_stamp_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_time_stamp
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
