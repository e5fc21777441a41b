/**
 * A case: one support intervention for one person. Everything viewed, run, and noted during it is
 * linked to it.
 */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { momentSchema } from '../moment.ts';
import { cursorSchema, pageSizeSchema, type CappedCount, type Timestamp } from '../pages.ts';
import type { NamedPerson } from './people.ts';
import type { RunRow } from '../commands/runs.ts';
import { casePriority, type CaseOutcome, type CasePriority, type CaseState } from '../states.ts';

/** Maximum count of entries. */
export const CASE_ENTRIES_COUNTED = 999;
const NOTE_LIMIT = 10_000;

export const caseEntryKinds = [
  'opened',
  'joined',
  'updated',
  /** Assigned to the user `data.username`, or to no user without it. */
  'assigned',
  'note',
  'device-viewed',
  'person-viewed',
  'location-viewed',
  'result-viewed',
  'document-viewed',
  'command',
  /** Any other audit event, with its type in `data.type`. */
  'act',
  'closed',
  'reopened',
] as const;
export type CaseEntryKind = (typeof caseEntryKinds)[number];

const ticketSchema = z.string().trim().max(100);
const aboutSchema = z.string().trim().max(500);
/** Name of a queue; empty for none. A queue exists as long as a case is in it. */
const queueSchema = z.string().trim().max(60);

/** The most important first. */
export const casePriorities = Object.keys(casePriority) as [CasePriority, ...CasePriority[]];
const prioritySchema = z.enum(casePriorities);

export const openCaseInput = z.object({
  personId: idSchema,
  /** Number in the ticket system, if there is one. */
  ticket: ticketSchema.default(''),
  /** The problem that the person reported. */
  about: aboutSchema.default(''),
  /** Null for no assignee; absent for the caller. */
  assigneeId: idSchema.nullable().optional(),
  priority: prioritySchema.default('normal'),
  queue: queueSchema.default(''),
  dueAt: momentSchema.nullable().default(null),
});

export const caseReferenceInput = z.object({ id: idSchema });

/** Absent fields are not changed. */
export const updateCaseInput = z.object({
  id: idSchema,
  ticket: ticketSchema.optional(),
  about: aboutSchema.optional(),
  priority: prioritySchema.optional(),
  queue: queueSchema.optional(),
  dueAt: momentSchema.nullable().optional(),
});

export const assignCaseInput = z.object({
  id: idSchema,
  /** Null for no assignee. */
  assigneeId: idSchema.nullable(),
});

/** Who can be assigned to cases of a person. */
export const listAssigneesInput = z.object({
  personId: idSchema,
  /** Part of a name or username. Ignored without `people:read`. */
  text: z.string().trim().max(100).default(''),
});

export const listQueuesInput = z.object({
  /** Prefix of a name. */
  text: queueSchema.default(''),
});

export const caseSorts = ['opened', 'due', 'priority'] as const;
export type CaseSort = (typeof caseSorts)[number];

export const addCaseNoteInput = z.object({
  id: idSchema,
  text: z.string().trim().min(1).max(NOTE_LIMIT),
});

export const closeCaseInput = z.object({
  id: idSchema,
  outcome: z.enum(['resolved', 'not-resolved', 'handed-on']),
  /** Findings and actions, or the team that takes over. */
  text: z.string().trim().max(NOTE_LIMIT).default(''),
});

export const listCasesInput = z.object({
  state: z.enum(['open', 'closed']).nullable().default(null),
  outcome: closeCaseInput.shape.outcome.nullable().default(null),
  /** Only cases that the viewer works or has worked on. */
  mine: z.boolean().default(false),
  personId: idSchema.nullable().default(null),
  /** Prefix of a ticket number. */
  ticket: ticketSchema.default(''),
  /** The ID of a user, the viewer, or none, also if it can no longer sign in. Null does not limit. */
  assignee: z
    .union([z.enum(['me', 'none']), idSchema])
    .nullable()
    .default(null),
  priority: prioritySchema.nullable().default(null),
  /** The whole name of a queue, case-insensitive. */
  queue: queueSchema.default(''),
  /** Only open cases whose due time has passed. */
  overdue: z.boolean().default(false),
  sort: z.enum(caseSorts).default('opened'),
  descending: z.boolean().default(true),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const listCaseEntriesInput = z.object({
  caseId: idSchema,
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** A user who can be assigned to a case. Names are masked without `people:read`. */
export interface CaseAssignee {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

export interface CaseRow {
  readonly id: string;
  /** Masked without `people:read`. */
  readonly person: { readonly id: string } & Required<NamedPerson>;
  readonly state: CaseState;
  readonly ticket: string;
  readonly about: string;
  readonly openedBy: string;
  readonly openedAt: Timestamp;
  readonly closedAt: Timestamp | null;
  readonly outcome: CaseOutcome | null;
  readonly lastEntryAt: Timestamp;
  readonly entries: CappedCount;
  /** Whether the viewer works or has worked on it. */
  readonly mine: boolean;
  /** The user who is responsible for it. Masked without `people:read`. */
  readonly assignee: {
    readonly id: string;
    readonly name: string;
    /** False if the user can no longer sign in; the case then counts as unassigned. */
    readonly isActive: boolean;
  } | null;
  readonly priority: CasePriority;
  /** Empty for none. */
  readonly queue: string;
  readonly dueAt: Timestamp | null;
}

export interface CaseWorker {
  readonly userId: string;
  readonly name: string;
  readonly joinedAt: Timestamp;
  /** Whether this is the user's active case, to which the user's actions are linked. */
  readonly isIn: boolean;
}

/** A device with entries in the case. */
export interface CaseDevice {
  readonly id: string;
  readonly name: string;
  readonly serialNumber: string | null;
  /** Number of entries about it. */
  readonly entries: number;
}

export interface CaseDetail extends CaseRow {
  readonly closedBy: string | null;
  /** Text entered when it was closed. */
  readonly outcomeText: string;
  /** The newest report about it. */
  readonly reportId: string | null;
  readonly workers: readonly CaseWorker[];
  readonly devices: readonly CaseDevice[];
}

/** The viewer's active case. */
export type ActiveCase = Pick<
  CaseRow,
  'id' | 'person' | 'ticket' | 'about' | 'openedAt' | 'entries'
>;

/** Current state of the command of an entry. */
export interface CaseRun extends Pick<
  RunRow,
  'command' | 'state' | 'statusDetails' | 'parameters' | 'counters' | 'invocationId' | 'endedAt'
> {
  /** For a command to one device; null before it finishes. */
  readonly responseCode: number | null;
  /** The start of the device's output, secrets masked. */
  readonly output: string;
}

export interface CaseEntry {
  readonly id: string;
  readonly at: Timestamp;
  /** End of a view; null if it has no duration. */
  readonly until: Timestamp | null;
  readonly actor: string;
  /** Whether it is the viewer's own entry. */
  readonly mine: boolean;
  readonly kind: CaseEntryKind;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly serialNumber: string | null;
  readonly runId: string | null;
  /** Null if there is no command or the viewer cannot read it. */
  readonly run: CaseRun | null;
  /**
   * What was viewed other than a device: the ID of a person or result, or the name of a document.
   */
  readonly reference: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
