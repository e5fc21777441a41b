import { sql, type SQL } from 'drizzle-orm';
import { CASE_ENTRIES_COUNTED, type CaseRow } from '@deviceportal/contract/cases';
import type { Executor } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import { maskName, maskUser } from '../people/mask-person.ts';
import { personSightOf } from '../people/data/person-sight.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseSight } from './case-sight.ts';

export interface FoundCase {
  readonly row: CaseRow;
  readonly closedBy: string | null;
  readonly outcomeText: string;
  readonly openedAtText: string;
}

interface RawCase extends Omit<CaseRow, 'person' | 'entries'>, Record<string, unknown> {
  readonly personId: string;
  readonly personName: string;
  readonly named: boolean;
  readonly openedAtText: string;
  readonly closedBy: string | null;
  readonly outcomeText: string;
  readonly entryCount: number;
}

/** Cases as `c`, of persons as `p`, within the viewer's sight, newest first. */
export async function selectCases(
  on: Executor,
  viewer: Viewer,
  page: { readonly where: SQL; readonly limit: number },
): Promise<FoundCase[]> {
  const { rows } = await on.execute<RawCase>(sql`
    select c.id, c.person_id as "personId", p.name as "personName", ${personSightOf(viewer).named} as named,
      c.state, c.ticket, c.about, c.opened_by as "openedBy", c.opened_at as "openedAt",
      c.opened_at::text as "openedAtText", c.closed_at as "closedAt", c.closed_by as "closedBy", c.outcome,
      c.outcome_text as "outcomeText", coalesce(newest.at, c.opened_at) as "lastEntryAt",
      (select count(*)::int from (select from case_entry e where e.case_id = c.id
        limit ${CASE_ENTRIES_COUNTED + 1}) counted) as "entryCount",
      exists (select from case_worker w where w.case_id = c.id and w.user_id = ${viewer.userId}) as mine
    from support_case c join person p on p.id = c.person_id
    left join lateral (
      select e.at from case_entry e where e.case_id = c.id order by e.at desc, e.id desc limit 1) newest on true
    where ${page.where} and ${caseSight(viewer)}
    order by c.opened_at desc, c.id desc limit ${page.limit}`);
  return rows.map((raw) => foundCase(raw, viewer));
}

function foundCase(raw: RawCase, viewer: Viewer): FoundCase {
  return {
    closedBy: raw.closedBy === null ? null : maskUser(raw.closedBy, viewer),
    outcomeText: raw.outcomeText,
    openedAtText: raw.openedAtText,
    row: {
      id: raw.id,
      person: { id: raw.personId, name: raw.named ? raw.personName : maskName(raw.personName) },
      state: raw.state,
      ticket: raw.ticket,
      about: raw.about,
      openedBy: maskUser(raw.openedBy, viewer),
      openedAt: isoOf(raw.openedAt),
      closedAt: isoOrNull(raw.closedAt),
      outcome: raw.outcome,
      lastEntryAt: isoOf(raw.lastEntryAt),
      entries: {
        count: Math.min(raw.entryCount, CASE_ENTRIES_COUNTED),
        exact: raw.entryCount <= CASE_ENTRIES_COUNTED,
      },
      mine: raw.mine,
    },
  };
}

export interface LockedCase {
  readonly id: string;
  readonly personId: string;
  readonly state: string;
  readonly ticket: string;
  readonly about: string;
}

/** The case, locked until the transaction ends; undefined outside the sight of somebody who manages cases. */
export async function lockCase(
  tx: Executor,
  viewer: Viewer,
  id: string,
): Promise<LockedCase | undefined> {
  const { rows } = await tx.execute(sql`
    select c.id, c.person_id as "personId", c.state, c.ticket, c.about
    from support_case c join person p on p.id = c.person_id
    where c.id = ${id} and ${caseSight(viewer, 'cases:manage')} for update of c`);
  return rows[0] as unknown as LockedCase | undefined;
}

/** The open case that this person has opened for that customer before. */
export async function findOwnOpenCase(
  on: Executor,
  { personId, userId }: { readonly personId: string; readonly userId: string },
): Promise<string | undefined> {
  const { rows } = await on.execute<{ id: string }>(sql`
    select id from support_case
    where person_id = ${personId} and opened_by_id = ${userId} and state = 'open'`);
  return rows[0]?.id;
}

export interface NewCase {
  readonly id: string;
  readonly personId: string;
  readonly ticket: string;
  readonly about: string;
  readonly at: Date;
}

/** False when this person has an open case for that customer already. */
export async function insertCase(tx: Executor, viewer: Viewer, made: NewCase): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    insert into support_case (id, person_id, state, ticket, about, opened_by_id, opened_by, opened_at)
    values (${made.id}, ${made.personId}, 'open', ${made.ticket}, ${made.about}, ${viewer.userId},
      ${viewer.displayName}, ${made.at.toISOString()}::timestamptz)
    on conflict do nothing`);
  return rowCount === 1;
}

export async function updateCaseWords(
  tx: Executor,
  { id, ticket, about }: { readonly id: string; readonly ticket: string; readonly about: string },
): Promise<void> {
  await tx.execute(
    sql`update support_case set ticket = ${ticket}, about = ${about} where id = ${id}`,
  );
}

export async function markClosed(
  tx: Executor,
  end: {
    readonly id: string;
    readonly by: string;
    readonly at: Date;
    readonly outcome: string;
    readonly text: string;
  },
): Promise<void> {
  await tx.execute(sql`
    update support_case set state = 'closed', closed_by = ${end.by}, closed_at = ${end.at.toISOString()}::timestamptz,
      outcome = ${end.outcome}, outcome_text = ${end.text}
    where id = ${end.id}`);
}

/** False when whoever opened it has another open case for that customer by now. */
export async function markReopened(tx: Executor, id: string): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update support_case c set state = 'open', closed_by = null, closed_at = null, outcome = null, outcome_text = ''
    where c.id = ${id} and not exists (select from support_case o
      where o.person_id = c.person_id and o.opened_by_id = c.opened_by_id and o.state = 'open' and o.id <> c.id)`);
  return rowCount === 1;
}
