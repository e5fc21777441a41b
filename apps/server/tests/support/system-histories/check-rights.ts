import { sql } from 'drizzle-orm';
import { runPermissionsFor, type Consequence } from '@deviceportal/contract/permissions';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Fault, RunRecord } from '../run-record.ts';
import type { DoneCall } from './user-calls.ts';

/** The permissions of every user with an active account. */
export type Rights = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The permissions at a time, or held at that time and lost since. Computed independently of the server, from grants,
 * expiry times, and revocations.
 */
export async function readRights({ orm }: Pick<Database, 'orm'>, now: Date): Promise<Rights> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await orm.execute(sql`
    with changed as materialized (
      select type, (data->>'userId')::uuid as user_id, data from audit_event
      where at = ${at} and type in ('access.user-roles-changed', 'access.user-status-changed'))
    select u.id, coalesce(array_agg(distinct p.name) filter (where p.name is not null), '{}') as names
    from portal_user u left join lateral (
      select jsonb_array_elements_text(r.permissions) as name from role r
      where r.id in (select role_id from user_role where user_id = u.id)
        or exists (select from changed c where c.user_id = u.id
          and (c.data->'before'->'roles' ? r.name or c.data->'after'->'roles' ? r.name))
      union all
      select jsonb_array_elements_text(e.permissions) from access_grant e
      where e.user_id = u.id and e.ends_at > ${at}
        and coalesce(e.ended_at, 'infinity') >= ${at}) p on true
    where u.status = 'Activated'
      or exists (select from changed c where c.user_id = u.id and c.data->>'to' = 'Activated')
    group by u.id`);
  return new Map(
    (rows as unknown as { id: string; names: string[] }[]).map(({ id, names }) => [
      id,
      new Set(names),
    ]),
  );
}

/** Permissions at the start or end of a round. */
export interface RoundRights {
  readonly before: Rights;
  readonly after: Rights;
}

const held = ({ before, after }: RoundRights, userId: string, needs: readonly string[]): boolean =>
  [before, after].some((rights) => {
    const own = rights.get(userId);
    return own !== undefined && (needs.length === 0 || needs.some((name) => own.has(name)));
  });

/** Finds actions without a permission. */
export function* findCallFaults(rights: RoundRights, calls: readonly DoneCall[]): Generator<Fault> {
  for (const call of calls)
    if (!held(rights, call.person.id, call.needs))
      yield { rule: 'done without the right', seen: call };
}

/** Finds commands sent for a user without the permission. */
export function* findSendingFaults(
  rights: RoundRights,
  sent: readonly { readonly run: RunRecord; readonly invocationId: string }[],
): Generator<Fault> {
  for (const { run, invocationId } of sent) {
    const needs = runPermissionsFor(run.command, run.consequence as Consequence);
    if (!held(rights, run.createdById, needs))
      yield { rule: 'sent without the right', seen: { invocationId, run } };
  }
}
