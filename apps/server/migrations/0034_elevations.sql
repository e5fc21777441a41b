CREATE TABLE "elevation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"role_name" text NOT NULL,
	"permissions" jsonb NOT NULL,
	"scope" jsonb NOT NULL,
	"reason" text NOT NULL,
	"minutes" integer NOT NULL,
	"case_id" uuid,
	"state" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"note" text DEFAULT '' NOT NULL,
	"ends_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"end_reason" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "elevation_open" ON "elevation" USING btree ("user_id","role_id") WHERE "elevation"."state" in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "elevation_by_time" ON "elevation" USING btree ("asked_at","id");--> statement-breakpoint
CREATE INDEX "elevation_of_user" ON "elevation" USING btree ("user_id","asked_at","id");--> statement-breakpoint
-- Every role that somebody holds at this moment: those that were given to them, and those that they hold for a time.
CREATE VIEW "held_grant" AS
SELECT ur.user_id, r.id AS role_id, r.name, r.builtin, r.permissions, r.scope,
       NULL::uuid AS elevation_id, NULL::timestamptz AS until
FROM user_role ur JOIN role r ON r.id = ur.role_id
UNION ALL
SELECT e.user_id, e.role_id, e.role_name, false, e.permissions, e.scope, e.id, e.ends_at
FROM elevation e WHERE e.state = 'running' AND e.ends_at > clock_timestamp();
