import { z } from 'zod';
import type { PlainPermission } from '../access/permissions.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';
import { TERMINAL_SEARCH_CHARACTERS } from './terminal-text.ts';

/** Each of these allows to see the sessions of a device. */
export const terminalPermissions = [
  'terminal:open',
  'terminal:end',
  'terminal:replay',
  'terminal:watch',
] as const satisfies readonly PlainPermission[];

/** Open sessions. Above these, new ones are refused. */
export const TERMINAL_LIMITS = { perUser: 4, perDevice: 2, inAll: 200 } as const;
/** Recorded output of a session; it ends at this size. */
export const TERMINAL_RECORDING_LIMIT_BYTES = 128 * 1_024 * 1_024;
/** How long a session waits for its browser after a lost connection. */
export const TERMINAL_RESUME_MS = 10_000;
/** Users who watch a session at the same time. */
export const TERMINAL_WATCHERS = 5;
/** Latest recorded output that a user sees who begins to watch. */
export const TERMINAL_SNAPSHOT_BYTES = 1_024 * 1_024;
/** Close codes of the WebSocket after which a browser does not connect again. */
export const terminalCloseCodes = {
  notPermitted: 4_403,
  tooManyWatchers: 4_409,
  notWatchable: 4_410,
} as const;
export const TERMINAL_SOCKET_PATH = '/terminal';
/** Input in one message of a browser. */
export const TERMINAL_INPUT_CHARACTERS = 16 * 1_024;
/** Output that a browser has not confirmed. */
export const TERMINAL_UNREAD_BYTES = 256 * 1_024;

/** Whether a device offers terminals; `unsupported` for agents without them. */
export const terminalOffers = [
  'available',
  'unsupported',
  'off',
  'no-account',
  'platform',
  'no-pty',
  'signature',
  'too-many',
  'failed',
  'consent-refused',
  'consent-unanswered',
  'no-consent-program',
  'consent-unproved',
] as const;
export type TerminalOfferState = (typeof terminalOffers)[number];

/** Whether terminals of a device model need the consent of a person at the device. */
export const terminalConsents = ['not-needed', 'required', 'forbidden'] as const;
export type TerminalConsentRule = (typeof terminalConsents)[number];

export const terminalStates = ['opening', 'open', 'ended'] as const;
export type TerminalState = (typeof terminalStates)[number];

/** Why a session ended. */
export const terminalEndReasons = [
  'exited',
  'closed',
  'ended-by-other',
  'browser-lost',
  'device-lost',
  'permission-lost',
  'idle',
  'too-long',
  'recording-full',
  'agent-stopped',
  'not-answered',
  'refused',
] as const;
export type TerminalEndReason = (typeof terminalEndReasons)[number];

const columns = z.int().min(2).max(500);
const rows = z.int().min(1).max(300);

export const openTerminalInput = z.object({
  deviceId: z.string().max(64),
  reason: z.string().trim().min(3).max(500),
  columns,
  rows,
});
export const setTerminalConsentInput = z.object({
  model: z.string().min(1).max(128),
  consent: z.enum(terminalConsents),
});

/** The rule of a device model. */
export interface ModelTerminalConsent {
  readonly model: string;
  readonly consent: TerminalConsentRule;
  /** Null if it was never changed. */
  readonly changedBy: string | null;
  readonly changedAt: Timestamp | null;
}

export const terminalSessionInput = z.object({ sessionId: idSchema });
export const deviceTerminalsInput = z.object({ deviceId: z.string().max(64) });

export const searchRecordingsInput = z.object({
  deviceId: z.string().max(64),
  text: z.string().trim().min(2).max(TERMINAL_SEARCH_CHARACTERS),
  /** Continues with the sessions before this one. */
  before: idSchema.nullable(),
});

export interface FoundRecordings {
  /** Sessions whose recording contains the text, newest first. */
  readonly sessions: readonly TerminalSessionSummary[];
  readonly searched: number;
  /** The session after which the search continues; null if all were searched. */
  readonly before: string | null;
}

export interface OpenedTerminal {
  readonly sessionId: string;
}

export interface TerminalSessionSummary {
  readonly id: string;
  readonly state: TerminalState;
  readonly userId: string;
  readonly username: string;
  readonly reason: string;
  readonly openedAt: Timestamp;
  readonly endedAt: Timestamp | null;
  readonly endReason: TerminalEndReason | null;
  readonly exitCode: number | null;
  /** The account on the device; null before it is open. */
  readonly account: string | null;
  readonly recordedBytes: number;
  /** SHA-256 of the recording, which the audit trail contains; null until the session has ended. */
  readonly sha256: string | null;
  /** Whether the recording was deleted at the end of its retention. */
  readonly isExpired: boolean;
}

export interface DeviceTerminals {
  readonly offer: TerminalOfferState;
  /** The rule of the model of the device. */
  readonly consent: TerminalConsentRule;
  /** Whether the device asks a person, also where its model does not require it. */
  readonly asksConsent: boolean;
  readonly sessions: readonly TerminalSessionSummary[];
}

export interface TerminalRecording {
  /** asciicast v2. Works for an hour. */
  readonly url: string;
  readonly sha256: string;
}

/** Messages of a browser on the WebSocket, as JSON text. Output of the server is binary. */
export const terminalClientSchema = z.discriminatedUnion('kind', [
  /** First message. `received` is the output that an earlier connection has received. */
  z.object({
    kind: z.literal('attach'),
    sessionId: idSchema,
    token: z.string().max(16_384),
    received: z.int().nonnegative(),
  }),
  /** First message of a user who only watches. Only `token` and `read` can follow. */
  z.object({ kind: z.literal('watch'), sessionId: idSchema, token: z.string().max(16_384) }),
  /** A renewed token of the same sign-in. */
  z.object({ kind: z.literal('token'), token: z.string().max(16_384) }),
  z.object({ kind: z.literal('input'), text: z.string().max(TERMINAL_INPUT_CHARACTERS) }),
  z.object({ kind: z.literal('resize'), columns, rows }),
  /** Output that was processed. For those who watch, counted from the first byte of this connection. */
  z.object({ kind: z.literal('read'), upTo: z.int().nonnegative() }),
]);
export type TerminalClientMessage = z.infer<typeof terminalClientSchema>;

export type TerminalServerMessage =
  | { readonly kind: 'attached'; readonly state: TerminalState }
  | { readonly kind: 'opened'; readonly account: string }
  /** A person at the device is asked for consent. */
  | { readonly kind: 'asking' }
  /** The device has not answered for some seconds, or answers again. */
  | { readonly kind: 'device'; readonly isReachable: boolean }
  /** To the user of the session: usernames of those who watch it. */
  | { readonly kind: 'watchers'; readonly names: readonly string[] }
  /** To those who watch: followed by the latest output, and then by what is shown from now on. */
  | {
      readonly kind: 'watching';
      readonly username: string;
      /** Whether the output begins with the first one of the session. */
      readonly isComplete: boolean;
    }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number }
  | {
      readonly kind: 'ended';
      readonly reason: TerminalEndReason;
      readonly exitCode: number | null;
      readonly obstacle: TerminalOfferState | null;
    };
