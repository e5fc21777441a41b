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

/** Rate limits of sent codes. */
export interface SendLimits {
  /** Counts a code. @returns milliseconds to wait, or 0 if it can be sent now */
  take(subject: string, soFar: SentSoFar): Promise<number>;
  /** Uncounts a code that was not sent. */
  giveBack(subject: string): Promise<void>;
}

const SPACING_RULE: RateLimitRule = {
  name: 'send-spacing-by-person',
  hits: 1,
  windowMs: LOGIN_CODE_RESEND_MS,
};

/** One code per 30 s and five per 15 min, counted in the database for all servers. */
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

/** The same limits per sign-in, for functions without a database. A hosted pool adds its own limits. */
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
