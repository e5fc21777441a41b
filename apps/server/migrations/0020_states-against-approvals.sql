CREATE TABLE "device_tav" (
	"device_id" uuid NOT NULL,
	"component" text NOT NULL,
	"state" text NOT NULL,
	"serial_rank" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "device_tav_device_id_component_pk" PRIMARY KEY("device_id","component")
);
--> statement-breakpoint
CREATE TABLE "version_restate" (
	"component" text NOT NULL,
	"version" text NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"devices" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"after" uuid,
	"horizon" bigint,
	"settled" boolean DEFAULT false NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "version_restate_component_version_pk" PRIMARY KEY("component","version")
);
--> statement-breakpoint
DROP INDEX "device_status_connectivity";--> statement-breakpoint
ALTER TABLE "device_status" ADD COLUMN "tav_state" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
CREATE INDEX "device_tav_by_serial" ON "device_tav" USING btree ("component","state","serial_rank" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "device_tav_by_name" ON "device_tav" USING btree ("component","state","name" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "device_status_seen" ON "device_status" USING btree ("connectivity","tav_state","seen_rank","device_id");
--> statement-breakpoint
-- From the best to the worst: the order of the contract's table of states.
CREATE FUNCTION tav_rank(state text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_position(ARRAY['current', 'ahead', 'not-approved', 'behind', 'blocked'], state)
$$;
--> statement-breakpoint
-- Writes down what the versions of these devices mean for them, wherever that is another than what is written.
-- Two that do so for one device wait for each other at its status row, and the second one sees what the first one saw
-- and wrote: each statement of this function has a snapshot of its own. Plans are made for the devices at hand, for
-- those of ten devices would compare each of ten thousand with each.
CREATE FUNCTION restate_devices(ids uuid[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF cardinality(ids) = 0 OR NOT (EXISTS (SELECT FROM version_cell WHERE state IS NOT NULL)
      OR EXISTS (SELECT FROM device_tav)) THEN
    RETURN;
  END IF;
  PERFORM FROM device_status WHERE device_id = ANY(ids) ORDER BY device_id FOR NO KEY UPDATE;
  WITH stated AS MATERIALIZED (
    SELECT * FROM (
      SELECT v.device_id, v.component, CASE WHEN c.component IS NOT NULL THEN c.state
        ELSE tav_state(v.component, v.version, coalesce(d.model, ''), coalesce(d.country, '')) END AS state,
        d.serial_rank, d.name
      FROM device d
      JOIN device_version v ON v.device_id = d.id
      LEFT JOIN version_cell c ON c.component = v.component AND c.version = v.version
        AND c.model = coalesce(d.model, '') AND c.country = coalesce(d.country, '')
      WHERE d.id = ANY(ids) AND d.lifecycle <> 'retired') every_version
    WHERE state IS NOT NULL),
  wanted AS MATERIALIZED (
    SELECT * FROM stated
    UNION ALL
    SELECT * FROM (
      SELECT DISTINCT ON (device_id) device_id, '', state, serial_rank, name FROM stated
      ORDER BY device_id, tav_rank(state) DESC) worst),
  gone AS (
    DELETE FROM device_tav t
    WHERE t.device_id = ANY(ids)
      AND (t.device_id, t.component) NOT IN (SELECT device_id, component FROM wanted)),
  kept AS (
    INSERT INTO device_tav AS t (device_id, component, state, serial_rank, name)
    SELECT * FROM wanted ORDER BY device_id, component
    ON CONFLICT (device_id, component) DO UPDATE
    SET state = excluded.state, serial_rank = excluded.serial_rank, name = excluded.name
    WHERE (t.state, t.serial_rank, t.name) IS DISTINCT FROM (excluded.state, excluded.serial_rank, excluded.name))
  UPDATE device_status s SET tav_state = coalesce(w.state, 'none')
  FROM unnest(ids) AS i(id) LEFT JOIN wanted w ON w.device_id = i.id AND w.component = ''
  WHERE s.device_id = i.id AND s.tav_state <> coalesce(w.state, 'none');
END $$;
--> statement-breakpoint
-- Counted first: the count makes the cell that says what a version means.
CREATE OR REPLACE FUNCTION count_added_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT v.component, v.version, coalesce(d.model, ''), coalesce(d.country, ''), count(*)
  FROM added v JOIN device d ON d.id = v.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  PERFORM restate_devices(ARRAY(SELECT DISTINCT device_id FROM added));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_changed_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT c.component, c.version, coalesce(d.model, ''), coalesce(d.country, ''), sum(c.n)
  FROM (
    SELECT o.device_id, o.component, t.version, t.n
    FROM old_rows o JOIN new_rows w ON w.device_id = o.device_id AND w.component = o.component AND w.version <> o.version
    CROSS JOIN LATERAL (VALUES (o.version, -1), (w.version, 1)) AS t(version, n)) c
  JOIN device d ON d.id = c.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  PERFORM restate_devices(ARRAY(
    SELECT DISTINCT o.device_id FROM old_rows o
    JOIN new_rows w ON w.device_id = o.device_id AND w.component = o.component AND w.version <> o.version));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_removed_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT v.component, v.version, coalesce(d.model, ''), coalesce(d.country, ''), -count(*)
  FROM removed v JOIN device d ON d.id = v.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  PERFORM restate_devices(ARRAY(SELECT DISTINCT device_id FROM removed));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The sort keys beside the states follow the device, too.
CREATE OR REPLACE FUNCTION count_moved_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT v.component, v.version, t.model, t.country, sum(t.n)
  FROM old_rows o JOIN new_rows w ON w.id = o.id
    AND (o.model, o.country, o.lifecycle = 'retired') IS DISTINCT FROM (w.model, w.country, w.lifecycle = 'retired')
  CROSS JOIN LATERAL (VALUES
    (coalesce(o.model, ''), coalesce(o.country, ''), o.lifecycle, -1),
    (coalesce(w.model, ''), coalesce(w.country, ''), w.lifecycle, 1)) AS t(model, country, lifecycle, n)
  JOIN device_version v ON v.device_id = o.id
  WHERE t.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  PERFORM restate_devices(ARRAY(
    SELECT w.id FROM old_rows o JOIN new_rows w ON w.id = o.id
      AND (o.model, o.country, o.lifecycle = 'retired', o.serial_rank, o.name)
        IS DISTINCT FROM (w.model, w.country, w.lifecycle = 'retired', w.serial_rank, w.name)));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What is on record already is told by the job that tells devices after a change of approvals.
INSERT INTO version_restate (component, version, devices)
SELECT component, version, sum(devices) FROM version_cell WHERE state IS NOT NULL GROUP BY 1, 2;
