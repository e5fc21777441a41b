/**
 * Messages of a terminal session: `down/terminal` and `up/terminal`, QoS 0. Both directions carry a
 * stream of bytes with offsets (terminal-stream.ts), because messages can be lost, repeated, and
 * reordered. Agents without terminals ignore the topic, and do not state `terminal` in their birth
 * message.
 */

import { z } from 'zod';
import { signedStatementSchema } from '../messages.ts';
import { signedConsentSchema } from './terminal-consent.ts';
import { terminalObstacles } from './terminal-offer.ts';

/** Raw bytes in one message. */
export const TERMINAL_CHUNK_BYTES = 16 * 1_024;
/** Unacknowledged output of a session: what a device may send beyond what a viewer has read. */
export const TERMINAL_WINDOW_BYTES = 128 * 1_024;
/** A session without `keep` for this time ends on the device. */
export const TERMINAL_SILENCE_MS = 12_000;
/** How often the server sends `keep`, and a device answers it. */
export const TERMINAL_KEEP_MS = 2_000;

export const TERMINAL_COLUMNS = { min: 2, max: 500 } as const;
export const TERMINAL_ROWS = { min: 1, max: 300 } as const;

/** Why a session ended on the device. */
export const terminalExitReasons = [
  'exited',
  'closed',
  'connection-lost',
  'idle',
  'too-long',
  'agent-stopped',
] as const;
export type TerminalExitReason = (typeof terminalExitReasons)[number];

const session = z.uuid();
const offset = z.int().nonnegative();
const chunk = z.base64().max(Math.ceil(TERMINAL_CHUNK_BYTES / 3) * 4);
/** Counts the browsers that were attached to a session, one after the other. */
const attachment = z.int().nonnegative();
const columns = z.int().min(TERMINAL_COLUMNS.min).max(TERMINAL_COLUMNS.max);
const rows = z.int().min(TERMINAL_ROWS.min).max(TERMINAL_ROWS.max);

export const terminalUpSchema = z.discriminatedUnion('kind', [
  /** The account in which the shell runs. */
  z.object({
    kind: z.literal('opened'),
    session,
    account: z.string().max(64),
    /** If a person at the device was asked, and has agreed. */
    consent: signedConsentSchema.optional(),
  }),
  /** A person at the device is asked. Also the answer to `keep` until the person has answered. */
  z.object({ kind: z.literal('asking'), session }),
  z.object({ kind: z.literal('refused'), session, reason: z.enum(terminalObstacles) }),
  z.object({ kind: z.literal('output'), session, offset, data: chunk }),
  /** Answer to `keep`: how much input of this attachment has arrived. */
  z.object({ kind: z.literal('alive'), session, attachment, inputUpTo: offset }),
  /** After all output up to `offset`. Repeated until `done`. */
  z.object({
    kind: z.literal('exit'),
    session,
    offset,
    exitCode: z.int().nullable(),
    reason: z.enum(terminalExitReasons),
  }),
]);

export const terminalDownSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), session, columns, rows, statement: signedStatementSchema }),
  /** Offsets begin at 0 with each attachment. Input of an earlier attachment is ignored. */
  z.object({ kind: z.literal('input'), session, attachment, offset, data: chunk }),
  /** Sizes with a lower number than the last one are ignored. */
  z.object({ kind: z.literal('resize'), session, number: z.int().nonnegative(), columns, rows }),
  /** The session is wanted, and the device may send output up to `limit`. */
  z.object({ kind: z.literal('keep'), session, attachment, limit: offset }),
  /** Output that is stored. */
  z.object({ kind: z.literal('ack'), session, upTo: offset }),
  z.object({ kind: z.literal('close'), session }),
  /** The end is stored. Also sent for a session that the server does not know. */
  z.object({ kind: z.literal('done'), session }),
]);

export type TerminalUp = z.infer<typeof terminalUpSchema>;
export type TerminalDown = z.infer<typeof terminalDownSchema>;

/** What a server signs, so that only a user of the portal opens a terminal. */
export const terminalStatementSchema = z.object({
  session: z.uuid(),
  deviceId: z.string(),
  authorizedBy: z.object({ id: z.string() }),
  /** Shown on the device. */
  userName: z.string().max(200),
  reason: z.string().max(1_000),
  /** A person at the device must agree before it is opened. */
  needsConsent: z.boolean().default(false),
  openBefore: z.iso.datetime(),
});
export type TerminalStatement = z.infer<typeof terminalStatementSchema>;
