CREATE TABLE "changed_finding" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counted_device" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"label_sets" integer[] NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"connectivity" text NOT NULL,
	"lifecycle" text NOT NULL,
	"is_old" boolean NOT NULL,
	"findings" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counted_label_set" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "counted_label_set_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"labels" jsonb NOT NULL,
	"is_used" boolean DEFAULT true NOT NULL,
	"is_counted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "counted_label_set_labels_unique" UNIQUE("labels")
);
--> statement-breakpoint
CREATE TABLE "fleet_count" (
	"label_set" integer NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"connectivity" text NOT NULL,
	"lifecycle" text NOT NULL,
	"is_old" boolean NOT NULL,
	"devices" integer NOT NULL,
	CONSTRAINT "fleet_count_cell" PRIMARY KEY("label_set","country","model","connectivity","lifecycle","is_old")
);
--> statement-breakpoint
CREATE TABLE "fleet_count_progress" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"sealed_up_to" bigint NOT NULL,
	"swept_to" uuid,
	"sweep_ended_at" timestamp with time zone,
	"old_rank" timestamptz NOT NULL,
	"old_id" uuid NOT NULL,
	"counted_to" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "fleet_finding_count" (
	"label_set" integer NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"rule" text NOT NULL,
	"severity" text NOT NULL,
	"devices" integer NOT NULL,
	CONSTRAINT "fleet_finding_count_cell" PRIMARY KEY("label_set","country","model","rule","severity")
);
--> statement-breakpoint
-- Queues the devices whose findings changed, also those that a server of the release before changes.
CREATE FUNCTION queue_changed_findings() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO changed_finding (device_id) SELECT DISTINCT device_id FROM old_rows;
  ELSE
    INSERT INTO changed_finding (device_id) SELECT DISTINCT device_id FROM new_rows;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER finding_opened AFTER INSERT ON finding
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_findings();
--> statement-breakpoint
CREATE TRIGGER finding_changed AFTER UPDATE ON finding
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_findings();
--> statement-breakpoint
CREATE TRIGGER finding_closed AFTER DELETE ON finding
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_findings();
