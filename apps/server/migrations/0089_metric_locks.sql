-- A lock that is not available within two seconds ends the function: while it waits for one, every reader and writer of
-- the table waits behind it. It is called again in the next hour.
CREATE OR REPLACE FUNCTION ensure_metric_partition(parent text, key text, number integer, width integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  name text := format('%s_%s', parent, number);
  first integer := number * width;
  last integer := (number + 1) * width;
BEGIN
  IF width IS DISTINCT FROM metric_partition_width(parent) OR number NOT BETWEEN 0 AND 100000
    OR parent || '/' || key NOT IN ('device_metric_hour/hour', 'device_metric_day/day', 'device_metric_month/month')
  THEN
    RAISE EXCEPTION 'no partition of metrics: % %', parent, number USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF to_regclass('public.' || name) IS NOT NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('ensure-metric-partition'));
  IF to_regclass('public.' || name) IS NOT NULL THEN RETURN false; END IF;
  -- In the order in which a partition is dropped. A row that another transaction is adding to the default partition would
  -- not be moved, and then the new partition could not be attached.
  EXECUTE format('LOCK TABLE ONLY public.%I IN SHARE UPDATE EXCLUSIVE MODE', parent);
  EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', parent || '_other');
  EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', name, parent);
  -- Rows grow while their hour or month lasts.
  EXECUTE format('ALTER TABLE public.%I SET (fillfactor = 70)', name);
  EXECUTE format('WITH moved AS (DELETE FROM public.%I WHERE %I >= %s AND %I < %s RETURNING *)
    INSERT INTO public.%I SELECT * FROM moved', parent || '_other', key, first, key, last, name);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
    parent, name, first, last);
  RETURN true;
END $$;
--> statement-breakpoint
ALTER FUNCTION drop_metric_partition(text, integer) SET lock_timeout = '2s';
--> statement-breakpoint
-- The server's role is granted them after every migration (runtime-role.ts).
REVOKE EXECUTE ON FUNCTION ensure_metric_partition(text, text, integer, integer), drop_metric_partition(text, integer) FROM PUBLIC;
