import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CaseEntryKind, CaseRow } from '@deviceportal/contract/cases';
import { moment } from '../../platform/columns.ts';

/** For sorting: cases without a due time are due last. */
export const dueOrNever = (dueAt: SQLWrapper): SQL =>
  sql`coalesce(${dueAt}, 'infinity'::timestamptz)`;

/** One support intervention for one person. */
export const supportCase = pgTable(
  'support_case',
  {
    id: uuid().primaryKey(),
    personId: uuid('person_id').notNull(),
    state: text().$type<CaseRow['state']>().notNull(),
    ticket: text().notNull().default(''),
    about: text().notNull().default(''),
    openedById: uuid('opened_by_id').notNull(),
    openedBy: text('opened_by').notNull(),
    openedAt: moment('opened_at').notNull(),
    closedBy: text('closed_by'),
    closedAt: moment('closed_at'),
    outcome: text().$type<NonNullable<CaseRow['outcome']>>(),
    outcomeText: text('outcome_text').notNull().default(''),
    /** The user who is responsible for it. Null for none. */
    assigneeId: uuid('assignee_id'),
    assignee: text(),
    /** The position in `casePriorities`, from 1: the smallest is the most important. */
    priority: smallint().notNull().default(3),
    queue: text().notNull().default(''),
    dueAt: moment('due_at'),
  },
  (table) => [
    index('support_case_newest').on(table.openedAt, table.id),
    index('support_case_by_person').on(table.personId, table.openedAt, table.id),
    index('support_case_by_ticket').on(sql`lower(${table.ticket}) text_pattern_ops`),
    // Opening a case twice, by a second click or in another tab, returns the first one.
    uniqueIndex('support_case_open')
      .on(table.personId, table.openedById)
      .where(sql`${table.state} = 'open'`),
    index('support_case_by_opener').on(table.openedById, table.openedAt),
    index('support_case_open_by_person')
      .on(table.openedById)
      .where(sql`${table.state} = 'open'`),
    index('support_case_open_newest')
      .on(table.openedAt, table.id)
      .where(sql`${table.state} = 'open'`),
    index('support_case_by_due').on(dueOrNever(table.dueAt), table.id),
    index('support_case_open_by_due')
      .on(dueOrNever(table.dueAt), table.id)
      .where(sql`${table.state} = 'open'`),
    index('support_case_by_priority').on(table.priority, dueOrNever(table.dueAt), table.id),
    index('support_case_open_by_priority')
      .on(table.priority, dueOrNever(table.dueAt), table.id)
      .where(sql`${table.state} = 'open'`),
    index('support_case_by_assignee')
      .on(table.assigneeId, table.openedAt, table.id)
      .where(sql`${table.assigneeId} is not null`),
    index('support_case_by_queue')
      .on(sql`lower(${table.queue}) text_pattern_ops`, table.openedAt, table.id)
      .where(sql`${table.queue} <> ''`),
  ],
);

/** A user who works, or has worked, in a case. */
export const caseWorker = pgTable(
  'case_worker',
  {
    caseId: uuid('case_id').notNull(),
    userId: uuid('user_id').notNull(),
    name: text().notNull(),
    joinedAt: moment('joined_at').notNull(),
    /** Since when their actions are bound to the case; null after they have left it. */
    inSince: moment('in_since'),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.userId] }),
    index('case_worker_by_user').on(table.userId, table.caseId),
    // A user works in one case at a time.
    uniqueIndex('case_worker_in')
      .on(table.userId)
      .where(sql`${table.inSince} is not null`),
  ],
);

/** What happened in a case. Entries outlive the devices and runs that they refer to. */
export const caseEntry = pgTable(
  'case_entry',
  {
    id: uuid().primaryKey(),
    caseId: uuid('case_id').notNull(),
    at: moment('at').notNull(),
    /** End of a look-up. */
    until: moment('until'),
    actorId: uuid('actor_id').notNull(),
    actor: text().notNull(),
    kind: text().$type<CaseEntryKind>().notNull(),
    deviceId: uuid('device_id'),
    runId: uuid('run_id'),
    /** What was viewed, if it is not a device. */
    reference: text(),
    data: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('case_entry_newest').on(table.caseId, table.at, table.id),
    index('case_entry_by_device')
      .on(table.caseId, table.deviceId)
      .where(sql`${table.deviceId} is not null`),
  ],
);
