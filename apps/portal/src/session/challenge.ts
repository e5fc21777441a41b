/** What the pool says about the code it has sent (public challenge parameters). Times in ms since 1970, by this browser's clock. */
export interface Challenge {
  readonly identifier: string;
  readonly medium: 'email' | 'sms';
  /** Masked. */
  readonly destination: string;
  readonly codeLength: number;
  readonly sentAtMs: number;
  /** The same by the pool's own clock: it tells one code from the next. Null where the pool does not say. */
  readonly poolSentAtMs: number | null;
  readonly expiresAtMs: number;
  readonly resendAfterMs: number;
  readonly attemptsLeft: number | null;
}

const STORAGE_KEY = 'deviceportal.challenge';
const DEFAULT_VALIDITY_MS = 180_000;
const DEFAULT_RESEND_MS = 30_000;

export interface ChallengeContext {
  readonly identifier: string;
  readonly codeLength: number;
  readonly nowMs: number;
  /** What was asked before this, in the same sign-in. */
  readonly before?: Challenge | undefined;
}

/**
 * A hosted pool may send fewer parameters: what is missing gets its default. The pool's times are told by this
 * browser's clock, which may be wrong by minutes: a code that is new here has been sent just now.
 */
export function readChallenge(
  parameters: Readonly<Record<string, string>> | undefined,
  { identifier, codeLength, nowMs, before }: ChallengeContext,
): Challenge {
  const poolTime = (name: string): number | null => {
    const atMs = Date.parse(parameters?.[name] ?? '');
    return Number.isFinite(atMs) ? atMs : null;
  };
  const poolSentAtMs = poolTime('sentAt');
  const isSameCode = before !== undefined && before.poolSentAtMs === poolSentAtMs;
  const sentAtMs = isSameCode ? before.sentAtMs : nowMs;
  const at = (name: string, afterMs: number): number => {
    const atMs = poolTime(name);
    return atMs === null || poolSentAtMs === null
      ? sentAtMs + afterMs
      : sentAtMs + (atMs - poolSentAtMs);
  };
  const attempts = Number(parameters?.['attemptsLeft'] ?? Number.NaN);
  return {
    identifier,
    medium: parameters?.['medium'] === 'sms' ? 'sms' : 'email',
    destination: parameters?.['destination'] ?? '',
    codeLength: Number(parameters?.['codeLength'] ?? codeLength) || codeLength,
    sentAtMs,
    poolSentAtMs,
    expiresAtMs: at('expiresAt', DEFAULT_VALIDITY_MS),
    resendAfterMs: at('resendAfter', DEFAULT_RESEND_MS),
    attemptsLeft: Number.isFinite(attempts) ? attempts : null,
  };
}

/** A reload in the middle goes on where it was: the library keeps its session, this keeps what the page shows. */
export function storeChallenge(challenge: Challenge | null): void {
  try {
    if (challenge === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(challenge));
  } catch {
    // Without storage a reload starts over.
  }
}

/** A page left alone for longer starts over; before that an expired code still offers a new one. */
const KEPT_AFTER_END_MS = 900_000;

export function storedChallenge(nowMs: number): Challenge | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Challenge | null;
    return stored !== null && nowMs < stored.expiresAtMs + KEPT_AFTER_END_MS ? stored : null;
  } catch {
    return null;
  }
}
