/** The terminal sessions of this device. Nothing is loaded or started before the first one opens. */

import { z } from 'zod';
import {
  terminalDownSchema,
  terminalStatementSchema,
  type TerminalDown,
  type TerminalStatement,
  type TerminalUp,
} from '@deviceportal/device-protocol/terminal-message';
import type {
  SignedConsent,
  TerminalConsent,
} from '@deviceportal/device-protocol/terminal-consent';
import type { TerminalObstacle, TerminalOffer } from '@deviceportal/device-protocol/terminal-offer';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import { type Logger, reasonOf } from '../logger.ts';
import { hasPty } from './load-pty.ts';
import { digestOfRequest } from './sign-consent.ts';
import { TerminalConsents } from './terminal-consents.ts';
import type { Pty, PtyRequest } from './pty.ts';
import type { TerminalAccount } from './terminal-account.ts';
import { TerminalSession, type TerminalLimits } from './terminal-session.ts';

const TICK_MS = 50;
const MOST_SESSIONS = 3;
const LIMITS: TerminalLimits = { idleMs: 15 * 60_000, durationMs: 4 * 3_600_000 };
const MOST_REMEMBERED = 1_000;
/** How long it is repeated that a session is open. */
const ANNOUNCED_MS = 15_000;

export interface TerminalSettings {
  readonly isOn: boolean;
  /** The account of terminals; null for the one of the agent. */
  readonly account: string | null;
  /** The program that asks a person at the device; by default, there is none. */
  readonly consentProgram?: string | null;
}

export interface TerminalHostOptions {
  readonly isOn: boolean;
  /** The account in which terminals run; null if there is none. */
  readonly account: () => TerminalAccount | null;
  readonly consentProgram: string | null;
  readonly signConsent: (consent: TerminalConsent) => SignedConsent;
  readonly deviceId: () => string;
  /** Whether a pinned key of the server signed the statement. */
  readonly isSigned: (statement: SignedStatement) => boolean;
  readonly serverNow: () => number;
  readonly send: (payload: string) => void;
  readonly openPty: (account: TerminalAccount, request: PtyRequest) => Promise<Pty>;
  readonly log: Logger;
  readonly now: () => number;
  readonly limits?: TerminalLimits;
}

type Opening = Extract<TerminalDown, { kind: 'open' }>;

interface OpenSession {
  readonly terminal: TerminalSession;
  readonly account: string;
  readonly consent: SignedConsent | undefined;
  readonly openedAtMs: number;
}

export class TerminalHost {
  readonly #options: TerminalHostOptions;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #opening = new Set<string>();
  /** Sessions that were opened before: a repeated message opens none again. */
  readonly #known = new Set<string>();
  readonly #consents: TerminalConsents;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: TerminalHostOptions) {
    this.#options = options;
    this.#consents = new TerminalConsents({
      program: options.consentProgram,
      announce: (session) => this.#send({ kind: 'asking', session }),
      now: options.now,
    });
  }

  /** Whether this device offers terminals, and can ask a person for consent; for the birth message. */
  offer(): { readonly terminal: TerminalOffer; readonly terminalConsent: boolean } {
    return {
      terminal: this.#obstacle() ?? 'available',
      terminalConsent: this.#consents.isPossible,
    };
  }

  take(payload: unknown): void {
    const parsed = terminalDownSchema.safeParse(payload);
    if (!parsed.success) {
      this.#options.log('warn', 'terminal message is not valid', {
        reason: z.prettifyError(parsed.error).slice(0, 200),
      });
      return;
    }
    const message = parsed.data;
    if (message.kind === 'open') void this.#open(message);
    else this.#pass(message);
  }

  /** The connection to the server is back. */
  attach(): void {
    for (const { terminal } of this.#sessions.values()) terminal.reconnected(this.#options.now());
  }

  /** Ends all shells. */
  stop(): void {
    this.#isStopped = true;
    this.#consents.cancel();
    for (const { terminal } of this.#sessions.values()) terminal.end('agent-stopped');
    clearInterval(this.#timer);
  }

  #pass(message: Exclude<TerminalDown, { kind: 'open' }>): void {
    const { session } = message;
    const known = this.#sessions.get(session);
    if (known === undefined) {
      if (message.kind === 'keep') this.#consents.keep(session);
      if (message.kind === 'close' || message.kind === 'done') this.#consents.cancel(session);
      return;
    }
    const nowMs = this.#options.now();
    if (message.kind === 'keep' && nowMs - known.openedAtMs < ANNOUNCED_MS)
      this.#announce(session, known);
    known.terminal.take(message, nowMs);
  }

  #obstacle(): TerminalObstacle | null {
    const { isOn, account } = this.#options;
    if (!isOn) return 'off';
    if (process.platform === 'win32' || !hasPty()) return 'platform';
    return account() === null ? 'no-account' : null;
  }

  async #open(message: Opening): Promise<void> {
    const { session } = message;
    if (this.#known.has(session) || this.#isStopped) return;
    const { log } = this.#options;
    const statement = this.#readStatement(message);
    const account = this.#options.account();
    const obstacle =
      this.#obstacle() ??
      (statement === null ? 'signature' : null) ??
      (this.#sessions.size + this.#opening.size >= MOST_SESSIONS ? 'too-many' : null);
    if (obstacle !== null || statement === null || account === null) {
      this.#refuse(session, obstacle ?? 'failed');
      return;
    }
    this.#remember(session);
    this.#opening.add(session);
    try {
      const consent = await this.#askConsent(message, statement);
      if (typeof consent === 'string') {
        if (consent !== 'cancelled') this.#refuse(session, consent);
        return;
      }
      const pty = await this.#options.openPty(account, message);
      this.#start(session, { pty, account, statement, consent });
    } catch (error) {
      log('error', 'terminal not opened', { session, reason: reasonOf(error) });
      this.#refuse(session, 'no-pty');
    } finally {
      this.#opening.delete(session);
    }
  }

  /** The consent of a person at the device; undefined if it is not needed. */
  async #askConsent(
    { session, statement: request }: Opening,
    statement: TerminalStatement,
  ): Promise<SignedConsent | TerminalObstacle | 'cancelled' | undefined> {
    if (!this.#consents.isNeeded(statement)) return undefined;
    const { log, deviceId, serverNow, signConsent } = this.#options;
    const { userName, reason } = statement;
    log('warn', 'consent to terminal requested', { session, user: userName, reason });
    const obstacle = await this.#consents.ask(statement);
    log('warn', 'consent to terminal answered', { session, answer: obstacle ?? 'agreed' });
    if (obstacle !== null) return obstacle;
    return signConsent({
      ...{ session, deviceId: deviceId(), requestSha256: digestOfRequest(request) },
      at: new Date(serverNow()).toISOString(),
    });
  }

  #announce(session: string, { account, consent }: Omit<OpenSession, 'terminal'>): void {
    this.#send({ kind: 'opened', session, account, ...(consent && { consent }) });
  }

  #start(
    session: string,
    opened: {
      readonly pty: Pty;
      readonly account: TerminalAccount;
      readonly statement: TerminalStatement;
      readonly consent: SignedConsent | undefined;
    },
  ): void {
    const { log, now, limits = LIMITS } = this.#options;
    const { pty, account, statement, consent } = opened;
    if (this.#isStopped) return pty.hangUp();
    const { userName, reason } = statement;
    log('warn', 'terminal opened', { session, user: userName, account: account.name, reason });
    const terminal = new TerminalSession({
      ...{ session, pty, limits, nowMs: now() },
      send: (message) => this.#send(message),
      onEnded: () => {
        this.#sessions.delete(session);
        log('warn', 'terminal closed', { session, user: userName });
        if (this.#sessions.size === 0) clearInterval(this.#timer);
      },
    });
    if (this.#sessions.size === 0) {
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#tick(), TICK_MS);
      this.#timer.unref();
    }
    const known = { terminal, consent, account: account.name, openedAtMs: now() };
    this.#sessions.set(session, known);
    terminal.print(notice(account.name));
    pty.onOutput((bytes) => terminal.addOutput(bytes, now()));
    pty.onExit((exitCode) => terminal.shellExited(exitCode, now()));
    this.#announce(session, known);
  }

  #tick(): void {
    for (const { terminal } of this.#sessions.values()) terminal.tick(this.#options.now());
  }

  #readStatement({ session, statement }: Opening): TerminalStatement | null {
    const { isSigned, deviceId, serverNow } = this.#options;
    if (!isSigned(statement)) return null;
    const parsed = terminalStatementSchema.safeParse(JSON.parse(statement.payload));
    const isOwn =
      parsed.success &&
      parsed.data.session === session &&
      parsed.data.deviceId === deviceId() &&
      Date.parse(parsed.data.openBefore) >= serverNow();
    return isOwn ? parsed.data : null;
  }

  #refuse(session: string, reason: TerminalObstacle): void {
    this.#options.log('warn', 'terminal refused', { session, reason });
    this.#send({ kind: 'refused', session, reason });
  }

  #remember(session: string): void {
    const [oldest] = this.#known;
    if (this.#known.size >= MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.add(session);
  }

  #send(message: TerminalUp): void {
    this.#options.send(JSON.stringify(message));
  }
}

const notice = (account: string): string =>
  `\u001b[7m This session is recorded. Account: ${account} \u001b[0m\r\n`;
