/** What the pool says about the code it has sent (public challenge parameters). Times in ms since 1970. */
export interface Challenge {
  readonly identifier: string;
  readonly medium: 'email' | 'sms';
  /** Masked. */
  readonly destination: string;
  readonly codeLength: number;
  readonly sentAtMs: number;
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
}

/** A hosted pool may send fewer parameters: what is missing gets its default. */
export function readChallenge(
  parameters: Readonly<Record<string, string>> | undefined,
  { identifier, codeLength, nowMs }: ChallengeContext,
): Challenge {
  const at = (name: string, otherwise: number): number => {
    const atMs = Date.parse(parameters?.[name] ?? '');
    return Number.isFinite(atMs) ? atMs : otherwise;
  };
  const attempts = Number(parameters?.['attemptsLeft'] ?? Number.NaN);
  const sentAtMs = at('sentAt', nowMs);
  return {
    identifier,
    medium: parameters?.['medium'] === 'sms' ? 'sms' : 'email',
    destination: parameters?.['destination'] ?? '',
    codeLength: Number(parameters?.['codeLength'] ?? codeLength) || codeLength,
    sentAtMs,
    expiresAtMs: at('expiresAt', sentAtMs + DEFAULT_VALIDITY_MS),
    resendAfterMs: at('resendAfter', sentAtMs + DEFAULT_RESEND_MS),
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

export function storedChallenge(nowMs: number): Challenge | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Challenge | null;
    return stored !== null && stored.expiresAtMs > nowMs ? stored : null;
  } catch {
    return null;
  }
}
