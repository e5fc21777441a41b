import { and, desc, eq, gt, inArray, ne, notExists, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { CASE_ENTRIES_COUNTED } from '@deviceportal/contract/cases';
import { personNames } from '../../people/data/person-names.ts';
import { personVisibilityOf } from '../../people/data/person-visibility.ts';
import { portalNow } from '../../platform/columns.ts';
import { builtOnce } from '../../platform/database/built-once.ts';
import type { Executor } from '../../platform/database/database.ts';
import { onceGiven } from '../../platform/database/once-given.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { caseConditions, hasActiveAssignee, type CaseFilter } from './case-conditions.ts';
import { isAfter, orderBy, sortValues, type CaseOrder } from './case-order.ts';
import { caseVisibility } from './case-visibility.ts';
import { caseEntry, caseWorker, supportCase } from './cases-tables.ts';

type SupportCase = typeof supportCase.$inferSelect;
export type StoredCase = Awaited<ReturnType<typeof selectCases>>[number];

const build = new QueryBuilder();

const newest = build
  .select({ at: caseEntry.at })
  .from(caseEntry)
  .where(eq(caseEntry.caseId, supportCase.id))
  .orderBy(desc(caseEntry.at), desc(caseEntry.id))
  .limit(1)
  .as('newest');

/** Counts one more than the maximum, to show that there are more. */
const counted = build
  .select({ id: caseEntry.id })
  .from(caseEntry)
  .where(eq(caseEntry.caseId, supportCase.id))
  .limit(CASE_ENTRIES_COUNTED + 1)
  .as('counted');

const hasWorker = (userId: string): SQL<boolean> =>
  sql<boolean>`exists ${build
    .select({ caseId: caseWorker.caseId })
    .from(caseWorker)
    .where(and(eq(caseWorker.caseId, supportCase.id), eq(caseWorker.userId, userId)))}`;

const newestFirst: CaseOrder = { sort: 'opened', descending: true };

export interface CasePage {
  readonly limit: number;
  /** By default the newest first. */
  readonly order?: CaseOrder;
  /** The values of the last row of the previous page. */
  readonly after?: readonly string[] | null;
}

/** Cases that are visible to the viewer. */
export async function selectCases(
  on: Executor,
  viewer: Viewer,
  filter: CaseFilter,
  { limit, order = newestFirst, after = null }: CasePage,
) {
  return on
    .select({
      id: supportCase.id,
      personId: supportCase.personId,
      personName: personNames.name,
      personEmail: personNames.email,
      personPhone: personNames.phone,
      /** Whether the viewer can see the person's name. */
      named: sql<boolean>`${personVisibilityOf(viewer, personNames.personId).named}`,
      state: supportCase.state,
      ticket: supportCase.ticket,
      about: supportCase.about,
      openedBy: supportCase.openedBy,
      openedAt: supportCase.openedAt,
      closedAt: supportCase.closedAt,
      closedBy: supportCase.closedBy,
      outcome: supportCase.outcome,
      outcomeText: supportCase.outcomeText,
      lastEntryAt: sql`coalesce(${newest.at}, ${supportCase.openedAt})`.mapWith(
        supportCase.openedAt,
      ),
      entryCount: sql<number>`(select count(*)::int from ${counted})`,
      mine: hasWorker(viewer.userId),
      assigneeId: supportCase.assigneeId,
      assignee: supportCase.assignee,
      hasActiveAssignee,
      priority: supportCase.priority,
      queue: supportCase.queue,
      dueAt: supportCase.dueAt,
      sortValues: sortValues(order),
    })
    .from(supportCase)
    .innerJoin(personNames, eq(personNames.personId, supportCase.personId))
    .leftJoinLateral(newest, sql`true`)
    .where(
      and(
        caseConditions(filter),
        after === null ? undefined : isAfter(after, order),
        caseVisibility(viewer, personNames.personId),
      ),
    )
    .orderBy(...orderBy(order))
    .limit(limit);
}

const ticketsBegun = builtOnce((on) => {
  const ticket = sql`lower(${supportCase.ticket})`;
  const isWithin = sql`${ticket} ~>=~ ${onceGiven('beginning', 'text')} and ${ticket} ~<~ ${onceGiven('until', 'text')}`;
  return on
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(isWithin)
    .limit(1)
    .prepare('tickets-begun');
});

/** Whether the ticket of any case begins with a text. */
export async function hasTicket(on: Executor, text: string): Promise<boolean> {
  const beginning = text.toLowerCase();
  const rows = await ticketsBegun(on).execute({ beginning, until: `${beginning}\u{10FFFF}` });
  return rows.length > 0;
}

/** Those of the cases that are visible to the viewer. */
export async function selectVisibleCases(
  on: Executor,
  viewer: Pick<Viewer, 'grants'>,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await on
    .select({ id: supportCase.id })
    .from(supportCase)
    .innerJoin(personNames, eq(personNames.personId, supportCase.personId))
    .where(and(inArray(supportCase.id, [...ids]), caseVisibility(viewer, personNames.personId)));
  return rows.map(({ id }) => id);
}

/** Whether a case is open and the viewer works or has worked in it. */
export async function isOpenCaseOf(on: Executor, viewer: Viewer, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: supportCase.id })
    .from(supportCase)
    .innerJoin(personNames, eq(personNames.personId, supportCase.personId))
    .where(
      and(
        eq(supportCase.id, id),
        eq(supportCase.state, 'open'),
        hasWorker(viewer.userId),
        caseVisibility(viewer, personNames.personId, 'cases:manage'),
      ),
    );
  return rows.length > 0;
}

/** Whether a viewer can open cases for a person. */
export async function isPersonVisible(on: Executor, viewer: Viewer, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: personNames.personId })
    .from(personNames)
    .where(
      and(
        eq(personNames.personId, id),
        caseVisibility(viewer, personNames.personId, 'cases:manage'),
      ),
    );
  return rows.length > 0;
}

export type LockedCase = Readonly<
  Pick<
    SupportCase,
    | 'id'
    | 'personId'
    | 'state'
    | 'ticket'
    | 'about'
    | 'closedBy'
    | 'outcome'
    | 'outcomeText'
    | 'assigneeId'
    | 'priority'
    | 'queue'
    | 'dueAt'
  >
>;

/** The case, locked until the transaction ends; undefined if the user cannot manage it. */
export async function lockCase(
  tx: Executor,
  viewer: Viewer,
  id: string,
): Promise<LockedCase | undefined> {
  const [found] = await tx
    .select({
      id: supportCase.id,
      personId: supportCase.personId,
      state: supportCase.state,
      ticket: supportCase.ticket,
      about: supportCase.about,
      closedBy: supportCase.closedBy,
      outcome: supportCase.outcome,
      outcomeText: supportCase.outcomeText,
      assigneeId: supportCase.assigneeId,
      priority: supportCase.priority,
      queue: supportCase.queue,
      dueAt: supportCase.dueAt,
    })
    .from(supportCase)
    .innerJoin(personNames, eq(personNames.personId, supportCase.personId))
    .where(
      and(eq(supportCase.id, id), caseVisibility(viewer, personNames.personId, 'cases:manage')),
    )
    .for('update', { of: supportCase });
  return found;
}

/** Prevents a case from being closed until the transaction ends. False if it is not open. */
export async function lockOpenCase(tx: Executor, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(and(eq(supportCase.id, id), eq(supportCase.state, 'open')))
    .for('no key update');
  return rows.length > 0;
}

/** The open case that this user has already opened for the person. */
export async function findOwnOpenCase(
  on: Executor,
  { personId, userId }: { readonly personId: string; readonly userId: string },
): Promise<string | undefined> {
  const [found] = await on
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(
      and(
        eq(supportCase.personId, personId),
        eq(supportCase.openedById, userId),
        eq(supportCase.state, 'open'),
      ),
    );
  return found?.id;
}

/** Open cases of a user for other people, for the limit of open cases. */
export const otherOpenCases = (userId: string, personId: string): SQL =>
  build
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(
      and(
        eq(supportCase.openedById, userId),
        eq(supportCase.state, 'open'),
        ne(supportCase.personId, personId),
      ),
    )
    .getSQL();

/** Cases that a user opened in the last 24 hours, except one. */
export const casesOfLastDay = (userId: string, exceptId: string): SQL =>
  build
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(
      and(
        eq(supportCase.openedById, userId),
        ne(supportCase.id, exceptId),
        gt(supportCase.openedAt, sql`${portalNow} - interval '1 day'`),
      ),
    )
    .getSQL();

/** Cases that a user opened: those that are open, and those of the last 24 hours. */
export async function countCases(
  on: Executor,
  userId: string,
): Promise<{ readonly open: number; readonly ofLastDay: number }> {
  const isOwn = eq(supportCase.openedById, userId);
  const isOfLastDay = gt(supportCase.openedAt, sql`${portalNow} - interval '1 day'`);
  return {
    open: await on.$count(supportCase, and(isOwn, eq(supportCase.state, 'open'))),
    ofLastDay: await on.$count(supportCase, and(isOwn, isOfLastDay)),
  };
}

export type NewCase = Pick<
  SupportCase,
  | 'id'
  | 'personId'
  | 'ticket'
  | 'about'
  | 'assigneeId'
  | 'assignee'
  | 'priority'
  | 'queue'
  | 'dueAt'
> & { readonly at: Date };

/** False if this user already has an open case for the person. */
export async function insertCase(
  tx: Executor,
  viewer: Viewer,
  { at, ...made }: NewCase,
): Promise<boolean> {
  const { rowCount } = await tx
    .insert(supportCase)
    .values({
      ...made,
      openedAt: at,
      state: 'open',
      openedById: viewer.userId,
      openedBy: viewer.displayName,
    })
    .onConflictDoNothing();
  return rowCount === 1;
}

/** Columns that users edit. */
export type CaseDetails = Pick<SupportCase, 'ticket' | 'about' | 'priority' | 'queue' | 'dueAt'>;

export async function updateCaseDetails(
  tx: Executor,
  id: string,
  changed: Partial<CaseDetails>,
): Promise<void> {
  await tx.update(supportCase).set(changed).where(eq(supportCase.id, id));
}

export async function updateAssignee(
  tx: Executor,
  id: string,
  assignee: { readonly id: string; readonly name: string } | null,
): Promise<void> {
  await tx
    .update(supportCase)
    .set({ assigneeId: assignee?.id ?? null, assignee: assignee?.name ?? null })
    .where(eq(supportCase.id, id));
}

export async function markClosed(
  tx: Executor,
  end: {
    readonly id: string;
    readonly by: string;
    readonly at: Date;
    readonly outcome: NonNullable<SupportCase['outcome']>;
    readonly text: string;
  },
): Promise<void> {
  await tx
    .update(supportCase)
    .set({
      state: 'closed',
      closedBy: end.by,
      closedAt: end.at,
      outcome: end.outcome,
      outcomeText: end.text,
    })
    .where(eq(supportCase.id, end.id));
}

/** False if the user who opened the case has another open case for the person. */
export async function markReopened(tx: Executor, id: string): Promise<boolean> {
  const other = alias(supportCase, 'other');
  const { rowCount } = await tx
    .update(supportCase)
    .set({ state: 'open', closedBy: null, closedAt: null, outcome: null, outcomeText: '' })
    .where(
      and(
        eq(supportCase.id, id),
        notExists(
          tx
            .select({ id: other.id })
            .from(other)
            .where(
              and(
                eq(other.personId, supportCase.personId),
                eq(other.openedById, supportCase.openedById),
                eq(other.state, 'open'),
                ne(other.id, supportCase.id),
              ),
            ),
        ),
      ),
    );
  return rowCount === 1;
}
