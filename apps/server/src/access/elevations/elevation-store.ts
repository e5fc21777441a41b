import { sql, type SQL } from 'drizzle-orm';
import type { ElevationEnd, ElevationRow } from '@deviceportal/contract/elevations';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';

/** As it stands in the database, with who asked for it. */
export interface StoredElevation extends Omit<ElevationRow, 'mine' | 'obstacle'> {
  /** The `sub` of who asked. */
  readonly subject: string;
  /** PostgreSQL's own text of when it was asked for, for the next page. */
  readonly askedAtText: string;
}

const columns = sql`
  e.id, e.user_id as "userId", u.username, u.subject, e.role_id as "roleId", e.role_name as "roleName",
  e.permissions, e.scope, e.reason, e.minutes, e.case_id as "caseId", e.state, e.asked_at as "askedAt",
  e.asked_at::text as "askedAtText", e.decided_at as "decidedAt", e.decided_by as "decidedBy", e.note,
  e.ends_at as "endsAt", e.ended_at as "endedAt", e.ended_by as "endedBy", e.end_reason as "endReason"`;

export async function selectElevations(
  executor: Executor,
  { where, limit }: { readonly where: SQL; readonly limit: number },
): Promise<StoredElevation[]> {
  const { rows } = await executor.execute(sql`
    select ${columns} from elevation e join portal_user u on u.id = e.user_id
    where ${where} order by e.asked_at desc, e.id desc limit ${limit}`);
  return (rows as unknown as StoredElevation[]).map(withTimes);
}

/** Locked until the transaction ends. */
export async function lockElevation(
  tx: Transaction,
  id: string,
): Promise<StoredElevation | undefined> {
  const { rows } = await tx.execute(sql`
    select ${columns} from elevation e join portal_user u on u.id = e.user_id
    where e.id = ${id} for update of e`);
  const found = rows[0] as unknown as StoredElevation | undefined;
  return found && withTimes(found);
}

export async function insertElevation(
  tx: Transaction,
  asked: Pick<
    ElevationRow,
    'id' | 'userId' | 'roleId' | 'roleName' | 'permissions' | 'scope' | 'reason' | 'minutes'
  > & { readonly caseId: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    insert into elevation (id, user_id, role_id, role_name, permissions, scope, reason, minutes, case_id, state, asked_at)
    values (${asked.id}, ${asked.userId}, ${asked.roleId}, ${asked.roleName},
            ${JSON.stringify(asked.permissions)}::jsonb, ${JSON.stringify(asked.scope)}::jsonb, ${asked.reason},
            ${asked.minutes}, ${asked.caseId}, 'waiting', portal_now(clock_timestamp()))
    on conflict (user_id, role_id) where state in ('waiting', 'running') do nothing`);
  return (rowCount ?? 0) > 0;
}

/** From now on, for so many minutes: the database's clock says when it ends, as it says whether it has. */
export async function markRunning(
  tx: Transaction,
  id: string,
  given: Pick<ElevationRow, 'permissions' | 'minutes'> & { readonly by: string },
): Promise<void> {
  await tx.execute(sql`
    update elevation e set state = 'running', decided_by = ${given.by}, minutes = ${given.minutes},
      permissions = ${JSON.stringify(given.permissions)}::jsonb, decided_at = moment.at,
      ends_at = moment.at + make_interval(mins => ${given.minutes})
    from (select portal_now(clock_timestamp()) as at) moment where e.id = ${id}`);
}

export async function markRefused(
  tx: Transaction,
  id: string,
  { by, note }: { readonly by: string; readonly note: string },
): Promise<void> {
  await tx.execute(sql`
    update elevation set state = 'refused', decided_by = ${by}, note = ${note}, decided_at = portal_now(clock_timestamp())
    where id = ${id}`);
}

/** Those that wait are withdrawn, those that go on have ended. Answers them as they were. */
export async function markEnded(
  tx: Transaction,
  {
    which,
    by,
    reason,
  }: { readonly which: SQL; readonly by: string; readonly reason: ElevationEnd },
): Promise<StoredElevation[]> {
  const { rows } = await tx.execute(sql`
    with open as (
      select ${columns} from elevation e join portal_user u on u.id = e.user_id
      where e.state in ('waiting', 'running') and ${which} for update of e),
    ended as (
      update elevation e set state = case e.state when 'waiting' then 'withdrawn' else 'ended' end,
        ended_at = portal_now(clock_timestamp()), ended_by = ${by}, end_reason = ${reason}
      from open where open.id = e.id)
    select * from open`);
  return (rows as unknown as StoredElevation[]).map(withTimes);
}

/** Those whose time is over have ended at that time, however late it is noticed; who was not answered was not. */
export async function markDue(tx: Transaction, answerHours: number): Promise<StoredElevation[]> {
  const { rows } = await tx.execute(sql`
    with due as (
      select e.id from elevation e
      where (e.state = 'running' and e.ends_at <= portal_now(clock_timestamp()))
         or (e.state = 'waiting' and e.asked_at <= portal_now(clock_timestamp()) - make_interval(hours => ${answerHours}))
      for update skip locked),
    ended as (
      update elevation e set state = case e.state when 'waiting' then 'lapsed' else 'ended' end,
        ended_at = case e.state when 'waiting' then portal_now(clock_timestamp()) else e.ends_at end,
        end_reason = 'time'
      from due where due.id = e.id returning e.*)
    select ${columns} from ended e join portal_user u on u.id = e.user_id`);
  return (rows as unknown as StoredElevation[]).map(withTimes);
}

function withTimes(row: StoredElevation): StoredElevation {
  return {
    ...row,
    askedAt: isoOf(row.askedAt),
    decidedAt: isoOrNull(row.decidedAt),
    endsAt: isoOrNull(row.endsAt),
    endedAt: isoOrNull(row.endedAt),
  };
}
