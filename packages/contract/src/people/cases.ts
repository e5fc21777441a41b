/**
 * A case: one support intervention for one person. Everything viewed, run, and noted during it is
 * linked to it.
 */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type CappedCount, type Timestamp } from '../pages.ts';
import type { NamedPerson } from './people.ts';
import type { RunRow } from '../commands/runs.ts';
import type { CaseOutcome, CaseState } from '../states.ts';

/** Maximum count of entries. */
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
  /** Any other audit event, with its type in `data.type`. */
  'act',
  'closed',
  'reopened',
] as const;
export type CaseEntryKind = (typeof caseEntryKinds)[number];

const ticketSchema = z.string().trim().max(100);
const aboutSchema = z.string().trim().max(500);

export const openCaseInput = z.object({
  personId: idSchema,
  /** Number in the ticket system, if there is one. */
  ticket: ticketSchema.default(''),
  /** The problem that the person reported. */
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
