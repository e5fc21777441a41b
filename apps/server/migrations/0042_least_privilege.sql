-- The months of the audit trail are made and dropped by functions that run with the rights of their owner, so that the
-- server's role needs none on the tables themselves. The search path is pinned: temporary tables and functions of the
-- caller cannot stand in for ours.
CREATE OR REPLACE FUNCTION ensure_audit_month(moment timestamptz) RETURNS boolean LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  first timestamp := date_trunc('month', moment AT TIME ZONE 'utc');
  name text := 'audit_event_' || to_char(first, 'YYYY_MM');
  lower_id uuid := audit_id_from(first AT TIME ZONE 'utc');
  upper_id uuid := audit_id_from((first + interval '1 month') AT TIME ZONE 'utc');
  reader text;
BEGIN
  IF moment NOT BETWEEN timestamptz '2000-01-01Z' AND timestamptz '2200-01-01Z' THEN
    RAISE EXCEPTION 'no month of the audit trail: %', moment USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('ensure-audit-month'));
  IF to_regclass('public.' || name) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_event INCLUDING DEFAULTS)', name);
  -- Default privileges may have granted more than reading: a month is written by way of the whole table only.
  FOR reader IN SELECT DISTINCT a.grantee::regrole::text FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid IN ('public.audit_event'::regclass, ('public.' || name)::regclass)
      AND a.grantee <> 0 AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('REVOKE ALL ON public.%I FROM %s', name, reader);
    EXECUTE format('GRANT SELECT ON public.%I TO %s', name, reader);
  END LOOP;
  IF EXISTS (SELECT FROM public.audit_event_other WHERE id >= lower_id AND id < upper_id) THEN
    ALTER TABLE public.audit_event_other DISABLE TRIGGER audit_event_append_only;
    EXECUTE format('WITH moved AS (DELETE FROM public.audit_event_other WHERE id >= %L AND id < %L RETURNING *)
      INSERT INTO public.%I SELECT * FROM moved', lower_id, upper_id, name);
    ALTER TABLE public.audit_event_other ENABLE TRIGGER audit_event_append_only;
  END IF;
  EXECUTE format('ALTER TABLE public.audit_event ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    name, lower_id, upper_id);
  EXECUTE format('CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I
    FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change()', name);
  RETURN true;
END $$;
--> statement-breakpoint
-- The functions that run with the rights of their caller do not look into temporary tables first, either.
ALTER FUNCTION ensure_audit_months(timestamptz) SET search_path = pg_catalog, public, pg_temp;
--> statement-breakpoint
ALTER FUNCTION await_audit_seal() SET search_path = pg_catalog, public, pg_temp;
--> statement-breakpoint
-- Holds a month against writers until the transaction ends, and answers how many events it has.
CREATE FUNCTION hold_audit_month(month text) RETURNS bigint LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := 'audit_event_' || replace(month, '-', '_');
  found bigint;
BEGIN
  IF month !~ '^[0-9]{4}-[0-9]{2}$' THEN
    RAISE EXCEPTION 'no month: %', month USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF ((month || '-01')::timestamp + interval '1 month') AT TIME ZONE 'utc' > now() THEN
    RAISE EXCEPTION 'the month % has not ended', month USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', name);
  EXECUTE format('SELECT count(*) FROM public.%I', name) INTO found;
  RETURN found;
END $$;
--> statement-breakpoint
-- Drops a month that is archived: every event of it is sealed, one file is named for it, by the row of the file and by an
-- event of the trail, and the file's digest is that of the sealed events. An empty month needs no file.
CREATE FUNCTION drop_audit_month(month text) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := 'audit_event_' || replace(month, '-', '_');
  held bigint := hold_audit_month(month);
  starts timestamptz := (month || '-01')::timestamp AT TIME ZONE 'utc';
  lower_id uuid := audit_id_from(starts);
  upper_id uuid := audit_id_from(((month || '-01')::timestamp + interval '1 month') AT TIME ZONE 'utc');
  sealed bigint;
  sealed_digest bytea;
BEGIN
  IF held > 0 THEN
    SELECT count(*), sha256(string_agg(substr(b.leaves, (32 * (e.place - 1) + 1)::integer, 32), ''::bytea ORDER BY e.id))
      INTO sealed, sealed_digest
      FROM public.audit_block b CROSS JOIN LATERAL unnest(b.event_ids) WITH ORDINALITY AS e(id, place)
      WHERE b.last_id >= lower_id AND b.first_id < upper_id AND e.id >= lower_id AND e.id < upper_id;
    IF sealed <> held OR NOT EXISTS (
      SELECT FROM public.audit_cold_file f JOIN public.audit_event a
        ON a.type = 'audit-trail.month-archived' AND a.data ->> 'file' = f.file
        AND a.data ->> 'digest' = encode(f.digest, 'hex') AND (a.data ->> 'events')::numeric = f.events
      WHERE f.month = drop_audit_month.month AND f.events = held AND f.digest = sealed_digest AND f.deleted_at IS NULL
    ) THEN
      RAISE EXCEPTION 'the month % is not archived as it was sealed', month USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION ensure_audit_month(timestamptz), hold_audit_month(text), drop_audit_month(text) FROM PUBLIC;
