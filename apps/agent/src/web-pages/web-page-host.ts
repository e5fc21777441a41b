/** The web page sessions of this device. Only ports that its owner has allowed, and only on this machine. */

import { z } from 'zod';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import type {
  SignedConsent,
  TerminalConsent,
} from '@deviceportal/device-protocol/terminal-consent';
import type { WebPageObstacle } from '@deviceportal/contract/web-pages';
import {
  webPageDownSchema,
  webPageStatementSchema,
  type WebPageDown,
  type WebPageStatement,
  type WebPageUp,
} from '@deviceportal/device-protocol/web-page-message';
import type { OfferedPage } from '@deviceportal/device-protocol/web-page-offer';
import { type Logger, reasonOf } from '../logger.ts';
import { digestOfRequest } from '../terminal/sign-consent.ts';
import { TerminalConsents } from '../terminal/terminal-consents.ts';
import { WebPageSession } from './web-page-session.ts';

const TICK_MS = 50;
const MOST_SESSIONS = 3;
const MOST_REMEMBERED = 1_000;
/** Together less than what the broker reads from a device, so that results are never delayed. */
const OUTPUT_BYTES_PER_SECOND = 384 * 1_024;
const OUTPUT_BURST_BYTES = 2 * 1_024 * 1_024;

export interface WebPageHostOptions {
  readonly pages: readonly OfferedPage[];
  readonly consentProgram: string | null;
  readonly signConsent: (consent: TerminalConsent) => SignedConsent;
  readonly deviceId: () => string;
  /** Whether a pinned key of the server signed the statement. */
  readonly isSigned: (statement: SignedStatement) => boolean;
  readonly serverNow: () => number;
  readonly send: (message: WebPageUp) => void;
  readonly log: Logger;
  readonly now: () => number;
}

type Opening = Extract<WebPageDown, { kind: 'open' }>;

interface OpenSession {
  readonly page: WebPageSession;
  readonly consent: SignedConsent | undefined;
}

export class WebPageHost {
  readonly #options: WebPageHostOptions;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #opening = new Set<string>();
  /** Sessions that were opened before: a repeated message opens none again. */
  readonly #known = new Set<string>();
  readonly #consents: TerminalConsents;
  #budget = OUTPUT_BURST_BYTES;
  #budgetAtMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: WebPageHostOptions) {
    this.#options = options;
    this.#budgetAtMs = options.now();
    this.#consents = new TerminalConsents({
      program: options.consentProgram,
      subject: 'web-page',
      announce: (session) => options.send({ kind: 'asking', session }),
      now: options.now,
    });
  }

  /** For the birth message. */
  offer(): { readonly webPages: OfferedPage[] } {
    return { webPages: [...this.#options.pages] };
  }

  take(payload: unknown): void {
    const parsed = webPageDownSchema.safeParse(payload);
    if (!parsed.success) {
      const reason = z.prettifyError(parsed.error).slice(0, 200);
      this.#options.log('warn', 'web page message is not valid', { reason });
    } else if (parsed.data.kind === 'open') void this.#open(parsed.data);
    else this.#pass(parsed.data);
  }

  /** The connection to the server is back. */
  attach(): void {
    for (const { page } of this.#sessions.values()) page.rewind();
    this.#flush();
  }

  stop(): void {
    this.#isStopped = true;
    this.#consents.cancel();
    for (const { page } of [...this.#sessions.values()]) page.end('agent-stopped');
    clearInterval(this.#timer);
  }

  #pass(message: Exclude<WebPageDown, { kind: 'open' }>): void {
    const { session } = message;
    const known = this.#sessions.get(session);
    if (known === undefined) return this.#passUnknown(message);
    if (message.kind === 'close') known.page.end();
    else if (message.kind === 'keep') {
      known.page.keep(this.#options.now());
      if (message.isOpen) this.#options.send({ kind: 'alive', session });
      else this.#announce(session, known);
    } else known.page.take(message, this.#options.now());
  }

  #passUnknown(message: Exclude<WebPageDown, { kind: 'open' }>): void {
    const { kind, session } = message;
    if (kind === 'close') this.#consents.cancel(session);
    else if (kind === 'data') {
      const { stream } = message;
      this.#options.send({ kind: 'reset', session, stream });
    } else if (kind !== 'keep') return;
    else if (message.isOpen) this.#options.send({ kind: 'closed', session, reason: 'unknown' });
    else this.#consents.keep(session);
  }

  async #open(message: Opening): Promise<void> {
    const { session } = message;
    if (this.#known.has(session) || this.#isStopped) return;
    const statement = this.#readStatement(message);
    const obstacle =
      (statement === null ? 'signature' : null) ??
      (this.#isOffered(statement) ? null : 'port') ??
      (this.#sessions.size + this.#opening.size >= MOST_SESSIONS ? 'too-many' : null);
    if (obstacle !== null || statement === null)
      return this.#refuse(session, obstacle ?? 'signature');
    this.#remember(session);
    this.#opening.add(session);
    try {
      const consent = await this.#askConsent(message, statement);
      if (typeof consent === 'string') {
        if (consent !== 'cancelled') this.#refuse(session, consent);
        return;
      }
      this.#start(statement, consent);
    } catch (error) {
      this.#options.log('error', 'web page not opened', { session, reason: reasonOf(error) });
      this.#refuse(session, 'failed');
    } finally {
      this.#opening.delete(session);
    }
  }

  #isOffered(statement: WebPageStatement | null): boolean {
    return this.#options.pages.some(({ port }) => port === statement?.port);
  }

  /** The consent of a person at the device; undefined if it is not needed. */
  async #askConsent(
    { session, statement: request }: Opening,
    statement: WebPageStatement,
  ): Promise<SignedConsent | WebPageObstacle | 'cancelled' | undefined> {
    if (!this.#consents.isNeeded(statement)) return undefined;
    const { log, deviceId, serverNow, signConsent } = this.#options;
    const { userName: user, reason, port } = statement;
    log('warn', 'consent to web page requested', { session, port, user, reason });
    const obstacle = await this.#consents.ask(statement);
    log('warn', 'consent to web page answered', { session, answer: obstacle ?? 'agreed' });
    if (obstacle !== null) return obstacle;
    return signConsent({
      ...{ session, deviceId: deviceId(), requestSha256: digestOfRequest(request) },
      at: new Date(serverNow()).toISOString(),
    });
  }

  #start(statement: WebPageStatement, consent: SignedConsent | undefined): void {
    if (this.#isStopped) return;
    const { send, log, now, serverNow } = this.#options;
    const { session, port, userName: user, reason } = statement;
    log('warn', 'web page opened', { session, port, user, reason });
    const page = new WebPageSession({
      ...{ session, port, send, nowMs: now() },
      endsAtMs: now() + Date.parse(statement.endBefore) - serverNow(),
      onOutput: () => this.#flush(),
      onEnded: () => {
        this.#sessions.delete(session);
        log('warn', 'web page closed', { session, port, user });
        if (this.#sessions.size === 0) clearInterval(this.#timer);
      },
    });
    if (this.#sessions.size === 0) {
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#tick(), TICK_MS);
      this.#timer.unref();
    }
    this.#sessions.set(session, { page, consent });
    this.#announce(session, { consent });
  }

  #announce(session: string, { consent }: Pick<OpenSession, 'consent'>): void {
    this.#options.send({ kind: 'opened', session, ...(consent && { consent }) });
  }

  #tick(): void {
    const nowMs = this.#options.now();
    for (const { page } of [...this.#sessions.values()]) page.tick(nowMs);
    this.#flush();
  }

  /** All sessions share what may be sent. */
  #flush(): void {
    const nowMs = this.#options.now();
    const earned = ((nowMs - this.#budgetAtMs) / 1_000) * OUTPUT_BYTES_PER_SECOND;
    this.#budget = Math.min(OUTPUT_BURST_BYTES, this.#budget + earned);
    this.#budgetAtMs = nowMs;
    for (const [session, known] of [...this.#sessions]) {
      // Whole bytes: a sender has nothing smaller.
      const most = Math.floor(this.#budget);
      if (most <= 0) return;
      const used = known.page.flush(nowMs, most);
      this.#budget -= used;
      if (used > 0 && this.#sessions.delete(session)) this.#sessions.set(session, known);
    }
  }

  #readStatement({ session, statement }: Opening): WebPageStatement | null {
    const { isSigned, deviceId, serverNow } = this.#options;
    if (!isSigned(statement)) return null;
    const parsed = webPageStatementSchema.safeParse(JSON.parse(statement.payload));
    const isOwn =
      parsed.success &&
      parsed.data.session === session &&
      parsed.data.deviceId === deviceId() &&
      Date.parse(parsed.data.openBefore) >= serverNow();
    return isOwn ? parsed.data : null;
  }

  #refuse(session: string, reason: WebPageObstacle): void {
    this.#options.log('warn', 'web page refused', { session, reason });
    this.#options.send({ kind: 'refused', session, reason });
  }

  #remember(session: string): void {
    const [oldest] = this.#known;
    if (this.#known.size >= MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.add(session);
  }
}
