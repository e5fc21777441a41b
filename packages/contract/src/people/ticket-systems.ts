import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

export const ticketSystemKinds = ['jira', 'servicenow'] as const;
export type TicketSystemKind = (typeof ticketSystemKinds)[number];

const common = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((url) => new URL(url).username === '', 'must not contain a username'),
  /** The account whose key is used. */
  account: z.string().trim().min(1).max(200),
  /** Empty to keep the stored one. */
  secret: z.string().max(2_000).default(''),
  /** What is sent about a case: that it exists, its texts without personal data, or its texts and the person. */
  shares: z.enum(['nothing', 'redacted-texts', 'personal-data']).default('nothing'),
};

export const saveTicketSystemInput = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('jira'),
    ...common,
    /** The key of a project, such as SUP. */
    project: z.string().regex(/^[A-Z][A-Z0-9_]{1,20}$/),
    issueType: z.string().trim().min(1).max(100),
    /** The name of the transition that closes an issue. */
    closing: z.string().trim().min(1).max(100),
  }),
  z.object({
    kind: z.literal('servicenow'),
    ...common,
    /** The table of tickets, such as incident. */
    table: z.string().regex(/^[a-z][a-z0-9_]{1,79}$/),
    /** The value of `state` for a resolved ticket. */
    resolvedState: z.string().regex(/^-?\d{1,5}$/),
    /** The value of `close_code` for it. */
    closeCode: z.string().trim().min(1).max(100),
  }),
]);
export type TicketSystemSettings = z.output<typeof saveTicketSystemInput>;

/** The connection to a ticket system, with the end of its secret only. */
export interface TicketSystem {
  readonly settings: TicketSystemSettings;
  readonly secretEnd: string;
  readonly changedAt: Timestamp;
  readonly waiting: number;
  readonly failed: number;
}

export interface TicketSystemTest {
  readonly ok: boolean;
  /** An HTTP status or an error code. */
  readonly error: string | null;
}

export const ticketOfCaseInput = z.object({ caseId: idSchema });
export const retryTicketInput = z.object({ caseId: idSchema });

export const ticketActs = ['create', 'comment', 'close'] as const;
export type TicketAct = (typeof ticketActs)[number];

/** What a case has in the ticket system. */
export interface CaseTicket {
  /** Null if no ticket system is connected. */
  readonly system: TicketSystemKind | null;
  /** Null until it is created. */
  readonly ticket: { readonly key: string; readonly url: string } | null;
  /** Messages that are not delivered yet. */
  readonly pending: readonly {
    readonly id: string;
    readonly act: TicketAct;
    readonly state: 'waiting' | 'sending' | 'failed';
    readonly attempts: number;
    /** An HTTP status or an error code. */
    readonly lastError: string | null;
    readonly createdAt: Timestamp;
    /** When it is sent again; null if it was given up. */
    readonly nextAt: Timestamp | null;
  }[];
}
