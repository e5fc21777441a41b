/**
 * The sent code (public challenge parameters of the pool). Times are in milliseconds since 1970, by
 * the clock of this browser.
 */
export interface Challenge {
  readonly identifier: string;
  readonly medium: 'email' | 'sms';
  /** Masked. */
  readonly destination: string;
  readonly codeLength: number;
  readonly sentAtMs: number;
  /**
   * The time by the pool’s clock, which distinguishes codes. Null if the pool does not return it.
   */
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
  /** The previous challenge of the same sign-in. */
  readonly before?: Challenge | undefined;
}

/**
 * Hosted pools can omit parameters, which then get defaults. Times are converted to the clock of
 * this browser, which can be off by minutes: a new code counts as sent now.
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

/** Stores the challenge for a reload during the sign-in. The library stores its own session. */
export function storeChallenge(challenge: Challenge | null): void {
  try {
    if (challenge === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(challenge));
  } catch {
    // Without storage, a reload starts again.
  }
}

/**
 * Milliseconds after the expiry of a code after which a reload starts again. Until then, the page
 * offers a new code.
 */
const KEPT_AFTER_END_MS = 900_000;

export function storedChallenge(nowMs: number): Challenge | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Challenge | null;
    return stored !== null && nowMs < stored.expiresAtMs + KEPT_AFTER_END_MS ? stored : null;
  } catch {
    return null;
  }
}
