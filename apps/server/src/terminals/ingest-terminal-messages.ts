import type { TerminalEndReason } from '@deviceportal/contract/terminals';
import {
  terminalUpSchema,
  type TerminalExitReason,
  type TerminalUp,
} from '@deviceportal/device-protocol/terminal-message';
import { parseUpMessage } from '../gateway/parse-up-message.ts';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { findTerminalOffer } from '../devices/data/connections/terminal-offers.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import {
  findTerminal,
  lockTerminal,
  markAsked,
  markOpened,
  type TerminalRow,
} from './data/terminal-queries.ts';
import { endSession, type EndDeps } from './end-terminal.ts';
import { OpenSessions } from './open-sessions.ts';
import type { RecentOutput } from './recent-output.ts';
import { OutputStore, type Output, type StoredOutput } from './store-output.ts';
import { isConsentTo } from './verify-consent.ts';

type Exit = Extract<TerminalUp, { kind: 'exit' }>;
type Opened = Extract<TerminalUp, { kind: 'opened' }>;

const endReasons: Readonly<Record<TerminalExitReason, TerminalEndReason>> = {
  exited: 'exited',
  closed: 'closed',
  'connection-lost': 'browser-lost',
  idle: 'idle',
  'too-long': 'too-long',
  'agent-stopped': 'agent-stopped',
};

export interface TerminalIngestDeps extends EndDeps {
  /** Where browsers of the same server find it; by default, they read it from the database. */
  readonly recent?: RecentOutput;
  /** A message that no device of ours sends. */
  readonly refuse: (deviceId: string, detail: string) => void;
}

/**
 * Stores what devices send from terminals. Output is acknowledged after the commit, and shown only
 * then: what a user has seen is recorded.
 */
export class TerminalIngest {
  readonly #deps: TerminalIngestDeps;
  readonly #sessions: OpenSessions;
  readonly #outputs: OutputStore;

  constructor(deps: TerminalIngestDeps) {
    this.#deps = deps;
    this.#sessions = new OpenSessions(deps.database);
    this.#outputs = new OutputStore(deps.database, deps.recent);
  }

  /** Resolves when the message is stored or dropped. */
  async take({
    deviceId,
    payload,
  }: {
    readonly deviceId: string;
    readonly payload: Uint8Array;
  }): Promise<void> {
    const parsed = parseUpMessage(terminalUpSchema, payload);
    if (parsed.message === undefined) return this.#deps.refuse(deviceId, parsed.fault);
    const { message } = parsed;
    const known = await this.#sessions.find(deviceId, message.session);
    if (known === 'unchecked') return;
    if (known === 'ended') return this.#forget(deviceId, message.session);
    switch (message.kind) {
      case 'output':
        return this.#takeOutput(deviceId, message);
      case 'alive':
        return this.#deps.changes.publish([
          {
            kind: 'terminal-alive',
            deviceId,
            sessionId: message.session,
            attachment: message.attachment,
            inputUpTo: message.inputUpTo,
          },
        ]);
      case 'opened':
        return this.#takeOpened(deviceId, message);
      case 'asking':
        return this.#takeAsking(deviceId, message.session);
      case 'refused':
        return this.#takeRefused(deviceId, message);
      default:
        return this.#takeExit(deviceId, message);
    }
  }

  async #takeOutput(deviceId: string, message: Output): Promise<void> {
    const { session } = message;
    const stored = await this.#outputs.store(deviceId, message);
    if (stored === undefined) return;
    if (stored === null) return this.#forget(deviceId, session);
    this.#confirm(deviceId, session, stored);
    if (stored.isFull) await this.#end(session, 'recording-full');
  }

  #confirm(deviceId: string, session: string, { upTo }: StoredOutput): void {
    const { terminalLines, changes } = this.#deps;
    terminalLines.send(deviceId, { kind: 'ack', session, upTo });
    changes.publish([{ kind: 'terminal-output', sessionId: session }]);
  }

  async #takeOpened(deviceId: string, message: Opened): Promise<void> {
    const { session } = message;
    const opened = await inTransaction(this.#deps.database, (tx) => open(tx, deviceId, message));
    if (opened === 'unproved')
      await endSession(this.#deps, {
        id: session,
        reason: 'refused',
        obstacle: 'consent-unproved',
      });
    if (opened === 'opened')
      this.#deps.changes.publish([{ kind: 'terminal-output', sessionId: session }]);
  }

  /** A device that asks a person is alive, and has taken no input. */
  async #takeAsking(deviceId: string, session: string): Promise<void> {
    const { database, changes } = this.#deps;
    const alive = { attachment: 0, inputUpTo: 0 };
    changes.publish([{ kind: 'terminal-alive', deviceId, sessionId: session, ...alive }]);
    if (await markAsked(database.orm, session))
      changes.publish([{ kind: 'terminal-output', sessionId: session }]);
  }

  async #takeRefused(
    deviceId: string,
    { session, reason }: Extract<TerminalUp, { kind: 'refused' }>,
  ): Promise<void> {
    const row = await findTerminal(this.#deps.database.orm, session);
    if (!isOpenOf(deviceId, row)) return;
    await endSession(this.#deps, { id: session, reason: 'refused', obstacle: reason });
  }

  async #takeExit(deviceId: string, { session, exitCode, reason, offset }: Exit): Promise<void> {
    const row = await findTerminal(this.#deps.database.orm, session);
    if (!isOpenOf(deviceId, row)) return this.#forget(deviceId, session);
    // The end is sent again until all output before it is stored.
    if (row.recordedBytes < offset) return;
    await endSession(this.#deps, { id: session, reason: endReasons[reason], exitCode });
    this.#forget(deviceId, session);
  }

  async #end(session: string, reason: TerminalEndReason): Promise<void> {
    await endSession(this.#deps, { id: session, reason });
  }

  /** The device need not send anything more of this session. */
  #forget(deviceId: string, session: string): void {
    this.#deps.terminalLines.send(deviceId, { kind: 'done', session });
  }
}

/** Opens a session, and records the consent of the person at the device if there is one. */
async function open(
  tx: Transaction,
  deviceId: string,
  { session, account, consent }: Opened,
): Promise<'opened' | 'unproved' | 'known'> {
  const row = await lockTerminal(tx, session);
  if (!isOpenOf(deviceId, row) || row.state !== 'opening') return 'known';
  const { fingerprint, name } = await findTerminalOffer(tx, deviceId);
  const isProved = isConsentTo(row, consent, fingerprint);
  if ((row.needsConsent || consent !== undefined) && !isProved) return 'unproved';
  if (!(await markOpened(tx, { id: session, account }))) return 'known';
  if (isProved)
    await recordAudit(tx, [
      {
        type: 'terminal.consent-given',
        actor: { kind: 'device', id: deviceId, name, address: null },
        deviceId,
        data: { sessionId: session, userId: row.userId, ...consent },
      },
    ]);
  return 'opened';
}

function isOpenOf(deviceId: string, row: TerminalRow | undefined): row is TerminalRow {
  return row !== undefined && row.deviceId === deviceId && row.state !== 'ended';
}
