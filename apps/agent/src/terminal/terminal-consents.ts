import { TERMINAL_CONSENT_MS } from '@deviceportal/device-protocol/terminal-consent';
import {
  TERMINAL_SILENCE_MS,
  type TerminalStatement,
} from '@deviceportal/device-protocol/terminal-message';
import { askConsent, type ConsentRequest } from './ask-consent.ts';

/** After so many requests without consent, the person is not asked again for a while. */
const MOST_DECLINED = 3;
const DECLINED_MS = 10 * 60_000;
const CHECK_MS = 500;

export interface TerminalConsentsOptions {
  /** Asks the person; null if this device cannot. */
  readonly program: string | null;
  /** What the person is asked for; by default, a terminal. */
  readonly subject?: ConsentRequest['subject'];
  /** The portal shows that a person is asked. */
  readonly announce: (session: string) => void;
  readonly now: () => number;
  readonly answerMs?: number;
}

/** Why a person has not agreed. */
export type ConsentObstacle =
  | 'consent-refused'
  | 'consent-unanswered'
  | 'no-consent-program'
  | 'too-many';

interface Question {
  readonly session: string;
  readonly abort: AbortController;
  keptAtMs: number;
}

/** The question to the person at the device, one at a time. */
export class TerminalConsents {
  readonly #options: TerminalConsentsOptions;
  #question: Question | undefined;
  #declinedAtMs: number[] = [];

  constructor(options: TerminalConsentsOptions) {
    this.#options = options;
  }

  get isPossible(): boolean {
    return this.#options.program !== null;
  }

  /** Whether the device asks for this request: the stricter of the portal and the device decides. */
  isNeeded({ needsConsent }: Pick<TerminalStatement, 'needsConsent'>): boolean {
    return needsConsent || this.isPossible;
  }

  /** Null if the person has agreed; `cancelled` if the answer is not awaited any more. */
  async ask({
    session,
    userName,
    reason,
  }: Pick<TerminalStatement, 'session' | 'userName' | 'reason'>): Promise<
    ConsentObstacle | 'cancelled' | null
  > {
    const { program, announce, now, answerMs = TERMINAL_CONSENT_MS } = this.#options;
    const { subject = 'terminal' } = this.#options;
    if (program === null) return 'no-consent-program';
    if (this.#question !== undefined) return 'too-many';
    this.#declinedAtMs = this.#declinedAtMs.filter((atMs) => now() - atMs < DECLINED_MS);
    if (this.#declinedAtMs.length >= MOST_DECLINED) return 'consent-refused';
    const question: Question = { session, abort: new AbortController(), keptAtMs: now() };
    this.#question = question;
    const timer = setInterval(() => {
      if (now() - question.keptAtMs > TERMINAL_SILENCE_MS) question.abort.abort();
    }, CHECK_MS);
    announce(session);
    try {
      const answer = await askConsent({
        program,
        request: { session, subject, user: userName, reason, seconds: answerMs / 1_000 },
        signal: question.abort.signal,
      });
      // An answer that arrives together with the end of the request does not count.
      if (question.abort.signal.aborted || answer === 'cancelled') return 'cancelled';
      if (answer === 'agreed') return null;
      if (answer === 'failed') return 'no-consent-program';
      this.#declinedAtMs.push(now());
      return answer === 'refused' ? 'consent-refused' : 'consent-unanswered';
    } finally {
      clearInterval(timer);
      this.#question = undefined;
    }
  }

  /** The user still waits. Does nothing for a session whose person is not asked. */
  keep(session: string): void {
    if (this.#question?.session !== session) return;
    this.#question.keptAtMs = this.#options.now();
    this.#options.announce(session);
  }

  /** Without a session: any question. */
  cancel(session?: string): void {
    if (session === undefined || this.#question?.session === session) this.#question?.abort.abort();
  }
}
