import { LOGIN_CODE_RESEND_MS, LOGIN_CODE_VALIDITY_MS } from '@deviceportal/contract/constants';
import type { Clock } from '../../clock.ts';
import { PERSON_RULES, type RateLimitRule, type RateLimits } from '../../limits/rate-limits.ts';
import type { OpenCode, Rounds } from './code-ledger.ts';
import { codeReferenceOf } from './code-metadata.ts';

/** Codes sent earlier in this sign-in. */
export interface SentSoFar {
  readonly current: OpenCode | undefined;
  readonly session: Rounds;
}

/** How often codes are sent. */
export interface SendLimits {
  /** Counts a code. @returns how long to wait, or 0 when it may be sent now */
  take(subject: string, soFar: SentSoFar): Promise<number>;
  /** The code was not sent after all. */
  giveBack(subject: string): Promise<void>;
}

const SPACING_RULE: RateLimitRule = {
  name: 'send-spacing-by-person',
  hits: 1,
  windowMs: LOGIN_CODE_RESEND_MS,
};

/** One code in 30 s and five in 15 min, counted in the database for all servers. */
export function createStoredSendLimits(limits: RateLimits): SendLimits {
  return {
    async take(subject) {
      const spacingMs = await limits.hit(SPACING_RULE, subject);
      if (spacingMs > 0) return spacingMs;
      const sendMs = await limits.hit(PERSON_RULES.send, subject);
      if (sendMs > 0) await limits.undo(SPACING_RULE, subject);
      return sendMs;
    },
    async giveBack(subject) {
      await limits.undo(SPACING_RULE, subject);
      await limits.undo(PERSON_RULES.send, subject);
    },
  };
}

/** The same within one sign-in, for functions without a database; a hosted pool has limits of its own beyond it. */
export function createSessionSendLimits(clock: Clock): SendLimits {
  return {
    async take(_subject, { current, session }) {
      const codes = new Set(session.map((round) => codeReferenceOf(round)?.split('.', 1)[0]));
      if (codes.size >= PERSON_RULES.send.hits) return LOGIN_CODE_VALIDITY_MS;
      if (current === undefined) return 0;
      return Math.max(0, current.sentAt.getTime() + LOGIN_CODE_RESEND_MS - clock.now());
    },
    giveBack: async () => {},
  };
}
