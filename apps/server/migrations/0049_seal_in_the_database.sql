-- The time of the audit trail: the same for all events of a statement. Only the owner can replace it.
CREATE FUNCTION audit_clock() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN public.portal_now(statement_timestamp());
--> statement-breakpoint
-- An id of the statement's moment (UUIDv7, RFC 9562, section 6.2, method 3): milliseconds, 12 bits of their fraction, the
-- row's position below 2^28, random bits. Rows of a statement sort by position, statements by time.
CREATE FUNCTION audit_event_id("position" bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0')
    || '8' || lpad(to_hex("position"), 7, '0') || right(gen_random_uuid()::text, 8))::uuid
  FROM (SELECT (extract(epoch FROM public.audit_clock()) * 1000000)::bigint AS micros) AS moment
$$;
--> statement-breakpoint
ALTER TABLE audit_event ALTER COLUMN at SET DEFAULT audit_clock();
--> statement-breakpoint
-- Queues events for the seal, and refuses those whose time is not the database's: what happened earlier names its time in
-- the data. An id tells the month in which an event is kept.
CREATE OR REPLACE FUNCTION await_audit_seal() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  recorded timestamptz := audit_clock();
  lower_id uuid := audit_id_from(recorded - interval '1 hour');
  upper_id uuid := audit_id_from(recorded + interval '1 hour');
BEGIN
  IF EXISTS (SELECT FROM written WHERE at <> recorded OR id < lower_id OR id >= upper_id) THEN
    RAISE EXCEPTION 'the database sets the time of an audit event' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO public.audit_unsealed (event_id, further)
    SELECT ids[1], ids[2:] FROM (
      SELECT array_agg(id) AS ids FROM (
        SELECT id, (row_number() OVER () - 1) / 100 AS part FROM written) AS numbered
      GROUP BY part) AS parts;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What a block seals leaves the queue with it, and nothing else does: the server's role cannot delete from the queue. The
-- first event of a row is sealed before its further ones.
CREATE FUNCTION unqueue_sealed_events() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  WITH taken AS (
    DELETE FROM public.audit_unsealed q WHERE q.event_id = ANY(NEW.event_ids) RETURNING q.event_id, q.further),
  rest AS (
    SELECT t.event_id AS head, array_agg(e.id ORDER BY e.place) AS ids
    FROM taken t CROSS JOIN LATERAL unnest(t.further) WITH ORDINALITY AS e(id, place)
    WHERE NOT EXISTS (SELECT FROM unnest(NEW.event_ids) AS sealed WHERE sealed = e.id)
    GROUP BY t.event_id)
  INSERT INTO public.audit_unsealed (event_id, further) SELECT ids[1], ids[2:] FROM rest;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_block_unqueues AFTER INSERT ON audit_block
  FOR EACH ROW EXECUTE FUNCTION unqueue_sealed_events();
--> statement-breakpoint
-- Takes events out of the queue that are not sealed, by leaving an event that names them, with the digest of each; and
-- entries of the queue without an event.
CREATE FUNCTION refuse_audit_events(refused jsonb, absent uuid[]) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  gone uuid[] := ARRAY(SELECT (value ->> 'id')::uuid FROM jsonb_array_elements(refused))
    || ARRAY(SELECT a.id FROM unnest(absent) AS a(id)
      WHERE NOT EXISTS (SELECT FROM public.audit_event e WHERE e.id = a.id));
BEGIN
  IF jsonb_array_length(refused) > 0 THEN
    INSERT INTO public.audit_event (id, type, actor_kind, actor_name, data)
      VALUES (audit_event_id(1), 'audit-trail.events-refused', 'system', 'Device Portal',
        jsonb_build_object('count', jsonb_array_length(refused), 'events', refused));
  END IF;
  WITH taken AS (
    DELETE FROM public.audit_unsealed q WHERE q.event_id = ANY(gone) OR q.further && gone
    RETURNING q.event_id, q.further),
  rest AS (
    SELECT t.event_id AS head, array_agg(e.id ORDER BY e.place) AS ids
    FROM taken t CROSS JOIN LATERAL unnest(t.event_id || t.further) WITH ORDINALITY AS e(id, place)
    WHERE e.id <> ALL(gone) GROUP BY t.event_id)
  INSERT INTO public.audit_unsealed (event_id, further) SELECT ids[1], ids[2:] FROM rest;
END $$;
--> statement-breakpoint
-- Queues events that are neither sealed nor queued nor refused: their entry was deleted. Answers how many.
CREATE FUNCTION requeue_audit_events("since" timestamptz, "until" timestamptz) RETURNS bigint LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  lower_id uuid := audit_id_from(since);
  upper_id uuid := audit_id_from(until);
  made bigint;
BEGIN
  WITH known AS MATERIALIZED (
    SELECT unnest(event_ids) AS id FROM public.audit_block WHERE last_id >= lower_id AND first_id < upper_id
    UNION ALL SELECT unnest(event_id || further) FROM public.audit_unsealed
    UNION ALL SELECT (named ->> 'id')::uuid
      FROM public.audit_event r CROSS JOIN LATERAL jsonb_array_elements(r.data -> 'events') AS named
      WHERE r.type = 'audit-trail.events-refused' AND r.id >= lower_id),
  lost AS (
    SELECT e.id FROM public.audit_event e WHERE e.id >= lower_id AND e.id < upper_id
      AND NOT EXISTS (SELECT FROM known WHERE known.id = e.id))
  INSERT INTO public.audit_unsealed (event_id) SELECT id FROM lost ON CONFLICT (event_id) DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  RETURN made;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION refuse_audit_events(jsonb, uuid[]), requeue_audit_events(timestamptz, timestamptz) FROM PUBLIC;
