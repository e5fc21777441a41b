import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Fault } from '../run-record.ts';

/** Whether the audit trail explains all current access. */
export async function findAccessFaults(database: Pick<Database, 'orm'>): Promise<Fault[]> {
  const faults = [await findAccessGrantFaults(database), await findChangeFaults(database)];
  return faults.flat();
}

interface AccessGrantTruth {
  readonly id: string;
  readonly state: string;
  readonly told: readonly string[];
}

const asked = 'access.elevation-asked';
const granted = 'access.elevation-granted';

/** Expected audit events of temporary access in each state. */
const storyOf: Readonly<Record<string, readonly string[]>> = {
  waiting: [asked],
  refused: [asked, 'access.elevation-refused'],
  withdrawn: [asked, 'access.elevation-withdrawn'],
  lapsed: [asked, 'access.elevation-lapsed'],
  running: [asked, granted],
  ended: [asked, 'access.elevation-ended', granted],
};

async function findAccessGrantFaults({ orm }: Pick<Database, 'orm'>): Promise<Fault[]> {
  const { rows } = await orm.execute(sql`
    select e.id, e.state, array_agg(a.type order by a.type) as told
    from access_grant e left join audit_event a on a.data->>'elevationId' = e.id::text group by e.id`);
  return (rows as unknown as AccessGrantTruth[])
    .filter(({ state, told }) => JSON.stringify(told) !== JSON.stringify(storyOf[state]))
    .map((seen) => ({ rule: 'a role for a time that the trail tells otherwise', seen }));
}

interface ChangesOfPerson {
  readonly id: string;
  readonly first: string;
  readonly now: string;
  readonly changes: readonly { readonly from: string; readonly to: string }[];
}

const roleNames = (column: ReturnType<typeof sql>) =>
  sql`array(select jsonb_array_elements_text(${column}->'roles') order by 1)::text`;

async function findChangeFaults({ orm }: Pick<Database, 'orm'>): Promise<Fault[]> {
  const told = (type: string) =>
    sql`from audit_event where type = ${type} and data->>'userId' = u.id::text`;
  const { rows: statuses } = await orm.execute(sql`
    select u.id, 'Activated' as first, u.status as now,
      (select coalesce(jsonb_agg(jsonb_build_object('from', data->>'from', 'to', data->>'to')), '[]')
        ${told('access.user-status-changed')}) as changes
    from portal_user u`);
  const { rows: roles } = await orm.execute(sql`
    select u.id, array(select r.name from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = u.id order by 1)::text as now,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'from', ${roleNames(sql`data->'before'`)}, 'to', ${roleNames(sql`data->'after'`)})), '[]')
        ${told('access.user-roles-changed')}) as changes,
      case when u.username like 'operator%' or u.username like 'colleague%' then '{Operator}'
        when u.username like 'newcomer%' then '{Viewer}' else '{Administrator}' end as first
    from portal_user u`);
  return [...statuses, ...roles]
    .map((row) => row as unknown as ChangesOfPerson)
    .filter((person) => !isPath(person))
    .map((seen) => ({ rule: 'a person whose rights the trail tells otherwise', seen }));
}

/** Whether the changes, in some order, lead from the first state to the current one: clocks may have been set back. */
function isPath({ first, now, changes }: ChangesOfPerson): boolean {
  const balance = new Map<string, number>([[first, 1]]);
  const add = (state: string, by: number) => balance.set(state, (balance.get(state) ?? 0) + by);
  for (const { from, to } of changes) {
    add(from, -1);
    add(to, 1);
  }
  add(now, -1);
  return [...balance.values()].every((count) => count === 0);
}
