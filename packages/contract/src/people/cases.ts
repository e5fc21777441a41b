/** A case: one support intervention for one person. What is looked up, run and noted in it is bound to it. */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type CappedCount, type Timestamp } from '../pages.ts';
import type { RunRow } from '../commands/runs.ts';
import type { CaseOutcome, CaseState } from '../states.ts';

/** The most entries that are counted. */
export const CASE_ENTRIES_COUNTED = 999;
const NOTE_LIMIT = 10_000;

export const caseEntryKinds = [
  'opened',
  'joined',
  'updated',
  'note',
  'device-viewed',
  'person-viewed',
  'location-viewed',
  'result-viewed',
  'document-viewed',
  'command',
  /** Anything else that the audit trail keeps: `data.type` says what. */
  'act',
  'closed',
  'reopened',
] as const;
export type CaseEntryKind = (typeof caseEntryKinds)[number];

const ticketSchema = z.string().trim().max(100);
const aboutSchema = z.string().trim().max(500);

export const openCaseInput = z.object({
  personId: idSchema,
  /** Of the ticket system, where there is one. */
  ticket: ticketSchema.default(''),
  /** What the person called about. */
  about: aboutSchema.default(''),
});

export const caseReferenceInput = z.object({ id: idSchema });

export const updateCaseInput = z.object({
  id: idSchema,
  ticket: ticketSchema,
  about: aboutSchema,
});

export const addCaseNoteInput = z.object({
  id: idSchema,
  text: z.string().trim().min(1).max(NOTE_LIMIT),
});

export const closeCaseInput = z.object({
  id: idSchema,
  outcome: z.enum(['resolved', 'not-resolved', 'handed-on']),
  /** What was found and done, or who goes on. */
  text: z.string().trim().max(NOTE_LIMIT).default(''),
});

export const listCasesInput = z.object({
  state: z.enum(['open', 'closed']).nullable().default(null),
  outcome: closeCaseInput.shape.outcome.nullable().default(null),
  /** Only those that the viewer works, or has worked, in. */
  mine: z.boolean().default(false),
  personId: idSchema.nullable().default(null),
  /** The beginning of a ticket. */
  ticket: ticketSchema.default(''),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const listCaseEntriesInput = z.object({
  caseId: idSchema,
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface CaseRow {
  readonly id: string;
  /** The name is masked without `people:read`. */
  readonly person: { readonly id: string; readonly name: string };
  readonly state: CaseState;
  readonly ticket: string;
  readonly about: string;
  readonly openedBy: string;
  readonly openedAt: Timestamp;
  readonly closedAt: Timestamp | null;
  readonly outcome: CaseOutcome | null;
  readonly lastEntryAt: Timestamp;
  readonly entries: CappedCount;
  /** The viewer works, or has worked, in it. */
  readonly mine: boolean;
}

export interface CaseWorker {
  readonly userId: string;
  readonly name: string;
  readonly joinedAt: Timestamp;
  /** Works in it now: what they do is bound to it. */
  readonly isIn: boolean;
}

/** A device that something in the case is about. */
export interface CaseDevice {
  readonly id: string;
  readonly name: string;
  readonly serialNumber: string | null;
  /** How many entries speak of it. */
  readonly entries: number;
}

export interface CaseDetail extends CaseRow {
  readonly closedBy: string | null;
  /** What was said at its end. */
  readonly outcomeText: string;
  /** The newest report that was written of it. */
  readonly reportId: string | null;
  readonly workers: readonly CaseWorker[];
  readonly devices: readonly CaseDevice[];
}

/** The case that the viewer works in now. */
export type ActiveCase = Pick<
  CaseRow,
  'id' | 'person' | 'ticket' | 'about' | 'openedAt' | 'entries'
>;

/** How the command of an entry stands now. */
export interface CaseRun extends Pick<
  RunRow,
  'command' | 'state' | 'statusDetails' | 'parameters' | 'counters' | 'invocationId' | 'endedAt'
> {
  /** Of a command to one device; null before it has ended. */
  readonly responseCode: number | null;
  /** The beginning of what that device said, secrets hidden. */
  readonly output: string;
}

export interface CaseEntry {
  readonly id: string;
  readonly at: Timestamp;
  /** How long a look went on; null where it was a moment. */
  readonly until: Timestamp | null;
  readonly actor: string;
  /** It is the viewer's own. */
  readonly mine: boolean;
  readonly kind: CaseEntryKind;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly serialNumber: string | null;
  readonly runId: string | null;
  /** Null where there is no command, or the viewer may not read it. */
  readonly run: CaseRun | null;
  /** What was looked at, where that is no device: the id of a person or a result, the name of a document. */
  readonly reference: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
