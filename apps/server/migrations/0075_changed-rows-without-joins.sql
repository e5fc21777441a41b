-- A plan is made once for each connection, for the rows of the first statement. If they were few, a join of the old
-- rows with the new ones compares each with each in all later statements. A sum over both finds what changed instead.
CREATE OR REPLACE FUNCTION count_changed_versions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid[];
BEGIN
  WITH moved AS MATERIALIZED (
    SELECT device_id, component, version, sum(n) AS n
    FROM (
      SELECT device_id, component, version, -1 AS n FROM old_rows
      UNION ALL
      SELECT device_id, component, version, 1 FROM new_rows) each_row
    GROUP BY 1, 2, 3 HAVING sum(n) <> 0),
  counted AS (
    INSERT INTO version_cell_delta (component, version, model, country, devices)
    SELECT m.component, m.version, coalesce(d.model, ''), coalesce(d.country, ''), sum(m.n)
    FROM moved m JOIN device d ON d.id = m.device_id AND d.lifecycle <> 'retired' GROUP BY 1, 2, 3, 4)
  SELECT array_agg(DISTINCT device_id) INTO changed FROM moved;
  PERFORM restate_devices(coalesce(changed, '{}'));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_moved_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO version_cell_delta (component, version, model, country, devices)
  SELECT v.component, v.version, m.model, m.country, sum(m.n)
  FROM (
    SELECT id, model, country, sum(n) AS n
    FROM (
      SELECT id, coalesce(model, '') AS model, coalesce(country, '') AS country, -1 AS n
      FROM old_rows WHERE lifecycle <> 'retired'
      UNION ALL
      SELECT id, coalesce(model, ''), coalesce(country, ''), 1
      FROM new_rows WHERE lifecycle <> 'retired') each_row
    GROUP BY 1, 2, 3 HAVING sum(n) <> 0) m
  JOIN device_version v ON v.device_id = m.id GROUP BY 1, 2, 3, 4;
  PERFORM restate_devices(ARRAY(
    SELECT DISTINCT id
    FROM (
      SELECT id, model, country, lifecycle = 'retired' AS retired, serial_rank, name, -1 AS n FROM old_rows
      UNION ALL
      SELECT id, model, country, lifecycle = 'retired', serial_rank, name, 1 FROM new_rows) each_row
    GROUP BY id, model, country, retired, serial_rank, name HAVING sum(n) <> 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_findings_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  renamed uuid[] := ARRAY(
    SELECT DISTINCT id
    FROM (
      SELECT id, serial_rank, name, -1 AS n FROM old_rows
      UNION ALL
      SELECT id, serial_rank, name, 1 FROM new_rows) each_row
    GROUP BY id, serial_rank, name HAVING sum(n) <> 0);
BEGIN
  IF cardinality(renamed) = 0 THEN
    RETURN NULL;
  END IF;
  PERFORM FROM finding WHERE device_id = ANY(renamed) ORDER BY rule, device_id FOR NO KEY UPDATE;
  UPDATE finding f SET serial_rank = w.serial_rank, name = w.name
  FROM new_rows w WHERE w.id = f.device_id AND (f.serial_rank, f.name) IS DISTINCT FROM (w.serial_rank, w.name);
  RETURN NULL;
END $$;
