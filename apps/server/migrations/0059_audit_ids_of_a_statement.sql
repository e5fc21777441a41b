-- What the ids of all events of a statement begin with: a statement that writes thousands asks once.
CREATE FUNCTION audit_id_begin() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0') || '8'
  FROM (SELECT (extract(epoch FROM public.audit_clock()) * 1000000)::bigint AS micros) AS moment
$$;
--> statement-breakpoint
-- The rest of an id, which each row has for itself. One expression: PostgreSQL writes it into the statement that calls it.
CREATE FUNCTION audit_event_id("begin" text, "position" bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT ("begin" || lpad(to_hex("position"), 7, '0') || right(gen_random_uuid()::text, 8))::uuid
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_event_id("position" bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT public.audit_event_id(public.audit_id_begin(), "position")
$$;
