CREATE TABLE "version_adoption" (
	"component" text NOT NULL,
	"day" date NOT NULL,
	"version" text NOT NULL,
	"model" text NOT NULL,
	"country" text NOT NULL,
	"devices" integer NOT NULL,
	CONSTRAINT "version_adoption_component_day_version_model_country_pk" PRIMARY KEY("component","day","version","model","country")
);
--> statement-breakpoint
CREATE TABLE "version_cell" (
	"component" text NOT NULL,
	"version" text NOT NULL,
	"model" text NOT NULL,
	"country" text NOT NULL,
	"devices" integer DEFAULT 0 NOT NULL,
	"state" text,
	CONSTRAINT "version_cell_component_version_model_country_pk" PRIMARY KEY("component","version","model","country")
);
--> statement-breakpoint
CREATE TABLE "version_cell_delta" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"component" text NOT NULL,
	"version" text NOT NULL,
	"model" text NOT NULL,
	"country" text NOT NULL,
	"devices" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "software_version" ADD COLUMN "created_by" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "software_version" ADD COLUMN "artefact_name" text;--> statement-breakpoint
ALTER TABLE "software_version" ADD COLUMN "artefact_key" text;--> statement-breakpoint
ALTER TABLE "software_version" ADD COLUMN "artefact_bytes" bigint;--> statement-breakpoint
ALTER TABLE "software_version" ADD COLUMN "artefact_sha256" text;--> statement-breakpoint
CREATE INDEX "version_cell_by_state" ON "version_cell" USING btree ("state","component","version") WHERE "version_cell"."state" is not null;
--> statement-breakpoint
-- Orders versions as Semantic Versioning 2.0.0 (section 11) does, and what is no such version sensibly: numbers as
-- numbers, a pre-release before its release, without build metadata and trailing zeros. To be compared under "C".
CREATE FUNCTION version_rank(version text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  WITH plain AS (SELECT split_part(regexp_replace(version, '^[vV](?=[0-9])', ''), '+', 1) AS v),
  parts AS (
    SELECT regexp_replace(split_part(v, '-', 1), '(\.0+)+$', '') AS core,
           CASE WHEN strpos(v, '-') > 0 THEN substr(v, strpos(v, '-') + 1) END AS pre FROM plain)
  SELECT (SELECT string_agg(CASE WHEN part ~ '^[0-9]+$'
                 THEN '1' || lpad(length(ltrim(part, '0'))::text, 3, '0') || ltrim(part, '0') ELSE '2' || part END, '.' ORDER BY n)
          FROM unnest(string_to_array(core, '.')) WITH ORDINALITY AS p(part, n))
      || CASE WHEN pre IS NULL THEN '!' ELSE ' ' ||
         (SELECT string_agg(CASE WHEN part ~ '^[0-9]+$'
                 THEN '1' || lpad(length(ltrim(part, '0'))::text, 3, '0') || ltrim(part, '0') ELSE '2' || part END, ' ' ORDER BY n)
          FROM unnest(string_to_array(pre, '.')) WITH ORDINALITY AS p(part, n)) END
  FROM parts
$$;
--> statement-breakpoint
-- What a version means for devices of a model and country. The nearest approval counts: of their model and country,
-- then of their model, then of their country, then of all. Null: nothing is approved for the component anywhere.
CREATE FUNCTION tav_state(of_component text, of_version text, of_model text, of_country text)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM software_version s
                 WHERE s.component = of_component AND s.version = of_version AND s.state = 'blocked') THEN 'blocked'
    WHEN NOT EXISTS (SELECT FROM version_approval a WHERE a.component = of_component) THEN NULL
    ELSE coalesce(
      (SELECT CASE
         WHEN a.version = of_version THEN 'current'
         WHEN version_rank(of_version) COLLATE "C" < version_rank(a.version) COLLATE "C" THEN 'behind'
         WHEN version_rank(of_version) COLLATE "C" > version_rank(a.version) COLLATE "C" THEN 'ahead'
         ELSE 'not-approved' END
       FROM version_approval a
       WHERE a.component = of_component AND a.model IN (of_model, '*') AND a.country IN (of_country, '*')
       ORDER BY a.model = '*', a.country = '*' LIMIT 1),
      'not-approved') END
$$;
--> statement-breakpoint
-- A cell exists as soon as a change speaks of it, with what it means. The lock (shared here, exclusive where approvals
-- change) keeps a new cell from missing an approval that is being given.
CREATE FUNCTION add_version_cells() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added a WHERE NOT EXISTS (
      SELECT FROM version_cell c
      WHERE (c.component, c.version, c.model, c.country) = (a.component, a.version, a.model, a.country))) THEN
    PERFORM pg_advisory_xact_lock_shared(7314900011);
    INSERT INTO version_cell (component, version, model, country, state)
    SELECT component, version, model, country, tav_state(component, version, model, country)
    FROM (SELECT DISTINCT component, version, model, country FROM added) a
    ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER version_cell_delta_added AFTER INSERT ON version_cell_delta
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_version_cells();
--> statement-breakpoint
-- Three functions, for each kind of statement has its own transition tables. Retired devices are not counted.
CREATE FUNCTION count_added_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT v.component, v.version, coalesce(d.model, ''), coalesce(d.country, ''), count(*)
  FROM added v JOIN device d ON d.id = v.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_changed_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT c.component, c.version, coalesce(d.model, ''), coalesce(d.country, ''), sum(c.n)
  FROM (
    SELECT o.device_id, o.component, t.version, t.n
    FROM old_rows o JOIN new_rows w ON w.device_id = o.device_id AND w.component = o.component AND w.version <> o.version
    CROSS JOIN LATERAL (VALUES (o.version, -1), (w.version, 1)) AS t(version, n)) c
  JOIN device d ON d.id = c.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_removed_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT v.component, v.version, coalesce(d.model, ''), coalesce(d.country, ''), -count(*)
  FROM removed v JOIN device d ON d.id = v.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER device_version_added AFTER INSERT ON device_version
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_versions();
--> statement-breakpoint
CREATE TRIGGER device_version_changed AFTER UPDATE ON device_version
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_versions();
--> statement-breakpoint
CREATE TRIGGER device_version_removed AFTER DELETE ON device_version
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_versions();
--> statement-breakpoint
-- A device that gets another model or country, or is retired, takes its versions along.
CREATE FUNCTION count_moved_versions() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER device_moved AFTER UPDATE ON device
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_moved_versions();
--> statement-breakpoint
-- A queue that fills and empties, like the events that wait for their seal.
ALTER TABLE version_cell_delta SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
--> statement-breakpoint
INSERT INTO version_cell (component, version, model, country, devices, state)
SELECT c.*, tav_state(c.component, c.version, c.model, c.country)
FROM (
  SELECT v.component, v.version, coalesce(d.model, '') AS model, coalesce(d.country, '') AS country, count(*)
  FROM device_version v JOIN device d ON d.id = v.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4) c;
