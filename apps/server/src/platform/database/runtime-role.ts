import type pg from 'pg';

/** The server's role in the embedded database. */
export const EMBEDDED_RUNTIME_ROLE = 'deviceportal_server';

/** Schemas in which the server changes rows but owns nothing. */
const SCHEMAS = ['public', 'identity', 'jobs'] as const;

/** Tables that are append-only for the server: the audit trail, its blocks, and their keys. */
const ADD_ONLY = ['audit_event', 'audit_block', 'audit_key', 'audit_time_stamp'] as const;

/**
 * Tables of the identity service in which keys that earlier releases stored unencrypted are sealed.
 */
const REWRITTEN = ['service_key', 'key_pair'] as const;

const TRAIL_FUNCTIONS =
  'ensure_audit_month(timestamptz), hold_audit_month(text), drop_audit_month(text), refuse_audit_events(jsonb, uuid[]), requeue_audit_events(timestamptz, timestamptz)';

/**
 * Grants the server's role its privileges and revokes all others, on existing objects and by
 * default on objects of later migrations by the same owner. Run by the owner after every migration.
 */
export async function grantRuntime(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<FoundRole & { readonly migrated: boolean }>(
    `select quote_ident($1) as role, to_regclass('public.audit_time_stamp') is not null as migrated,
       array(select format('identity.%I', relname) from pg_class
             where relnamespace = to_regnamespace('identity') and relname = any($2)
               and current_setting('server_version_num')::int >= 170000) as rewritten,
       array(select format('public.%I', relname) from pg_class where relkind in ('r', 'p')
             and relnamespace = 'public'::regnamespace and relname ~ '^audit_event_') as trail`,
    [role, REWRITTEN],
  );
  const [found] = rows;
  // A schema of an earlier release, while its backup is restored.
  if (found === undefined || !found.migrated) return;
  for (const statement of statementsFor(found)) await client.query(statement);
}

interface FoundRole {
  /** Quoted. */
  readonly role: string;
  /** Partitions of the audit trail. */
  readonly trail: readonly string[];
  /** Tables that the server can rewrite; none before PostgreSQL 17. */
  readonly rewritten: readonly string[];
}

function statementsFor({ role, trail, rewritten }: FoundRole): readonly string[] {
  const addOnly = ADD_ONLY.map((table) => `public.${table}`).join(', ');
  return [
    'begin',
    'revoke create on schema public from public',
    ...SCHEMAS.flatMap((schema) => [
      `revoke create on schema ${schema} from ${role}`,
      `grant usage on schema ${schema} to ${role}`,
      `revoke all on all tables in schema ${schema} from ${role}`,
      `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
      `grant usage, select, update on all sequences in schema ${schema} to ${role}`,
      `grant execute on all functions in schema ${schema} to ${role}`,
      `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role}`,
      `alter default privileges in schema ${schema} grant usage, select, update on sequences to ${role}`,
      `alter default privileges in schema ${schema} grant execute on functions to ${role}`,
    ]),
    `revoke update, delete on ${addOnly} from ${role}`,
    `revoke delete on public.audit_cold_file, public.audit_anchor_progress from ${role}`,
    // Triggers and functions of the owner maintain the sealing queue.
    `revoke insert, update, delete on public.audit_unsealed from ${role}`,
    ...trail.flatMap((table) => [
      `revoke all on ${table} from ${role}`,
      `grant select on ${table} to ${role}`,
    ]),
    `revoke insert, update, delete on identity.migration from ${role}`,
    // Backups contain the version of the last migration.
    `grant usage on schema drizzle to ${role}`,
    `grant select on all tables in schema drizzle to ${role}`,
    `revoke execute on function ${TRAIL_FUNCTIONS} from public`,
    `grant execute on function ${TRAIL_FUNCTIONS} to ${role}`,
    // For VACUUM FULL.
    ...rewritten.map((table) => `grant maintain on ${table} to ${role}`),
    'commit',
  ];
}

/**
 * Whether the connection's role neither owns the audit trail nor can become its owner, so that
 * triggers and privileges protect the trail from this connection.
 */
export async function isLeastPrivileged(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ held: boolean }>(
    `select not rolsuper and not pg_has_role(current_user, c.relowner, 'MEMBER') as held
     from pg_roles, pg_class c
     where rolname = current_user and c.oid = to_regclass('public.audit_event')`,
  );
  return rows[0]?.held ?? false;
}
