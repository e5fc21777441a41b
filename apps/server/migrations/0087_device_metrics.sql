CREATE TABLE "device_metric_day" (
	"device_id" uuid NOT NULL,
	"day" integer NOT NULL,
	"points" "bytea" NOT NULL,
	CONSTRAINT "device_metric_day_device_id_day_pk" PRIMARY KEY("device_id","day")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "device_metric_hour" (
	"device_id" uuid NOT NULL,
	"hour" integer NOT NULL,
	"samples" "bytea" NOT NULL,
	CONSTRAINT "device_metric_hour_device_id_hour_pk" PRIMARY KEY("device_id","hour")
) PARTITION BY RANGE ("hour");
--> statement-breakpoint
CREATE TABLE "device_metric_month" (
	"device_id" uuid NOT NULL,
	"month" integer NOT NULL,
	"points" "bytea" NOT NULL,
	CONSTRAINT "device_metric_month_device_id_month_pk" PRIMARY KEY("device_id","month")
) PARTITION BY RANGE ("month");
--> statement-breakpoint
CREATE TABLE "device_metric_pending" (
	"day" integer NOT NULL,
	"device_id" uuid NOT NULL,
	CONSTRAINT "device_metric_pending_day_device_id_pk" PRIMARY KEY("day","device_id")
);
--> statement-breakpoint
-- Already compressed.
ALTER TABLE "device_metric_hour" ALTER COLUMN "samples" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "device_metric_day" ALTER COLUMN "points" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "device_metric_month" ALTER COLUMN "points" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Rows whose partition does not exist, for example after a backup was restored.
CREATE TABLE "device_metric_hour_other" PARTITION OF "device_metric_hour" DEFAULT;
--> statement-breakpoint
CREATE TABLE "device_metric_day_other" PARTITION OF "device_metric_day" DEFAULT;
--> statement-breakpoint
CREATE TABLE "device_metric_month_other" PARTITION OF "device_metric_month" DEFAULT;
--> statement-breakpoint
CREATE FUNCTION metric_partition_width(parent text) RETURNS integer LANGUAGE sql IMMUTABLE
  SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent WHEN 'device_metric_hour' THEN 24 WHEN 'device_metric_day' THEN 30 WHEN 'device_metric_month' THEN 12 END
$$;
--> statement-breakpoint
-- Runs with the rights of its owner, so that the server's role needs none to create tables. Attaching does not block
-- readers and writers of other partitions.
CREATE FUNCTION ensure_metric_partition(parent text, key text, number integer, width integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE FUNCTION drop_metric_partition(parent text, number integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF metric_partition_width(parent) IS NULL OR number IS NULL THEN
    RAISE EXCEPTION 'no partition of metrics: % %', parent, number USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS public.%I', format('%s_%s', parent, number));
END $$;
