import { offerPasskeys } from '../sign-in-flow.ts';

/** Shorter than the sign-in of the user pool is valid, so that a chosen passkey is never too late. */
const VALID_MS = 150_000;
/** Nothing is requested for a page that no user sees. */
const SIGNS_OF_A_USER = ['pointermove', 'pointerdown', 'keydown', 'touchstart'] as const;

export interface PasskeyAutofillOptions {
  /** Aborted when the user signs in by another method. */
  readonly signal: AbortSignal;
  /** The user has chosen a passkey. */
  readonly onChosen: (signIn: () => Promise<void>) => void;
}

/** Offers passkeys in the field for the username, in browsers that can do so. Failures remain silent: it is an offer. */
export async function autofillPasskeys({
  signal,
  onChosen,
}: PasskeyAutofillOptions): Promise<void> {
  if ((await canAutofill()) !== true) return;
  while (!signal.aborted) {
    await untilUserActs(signal);
    if (signal.aborted) return;
    const round = AbortSignal.any([signal, AbortSignal.timeout(VALID_MS)]);
    try {
      onChosen(await offerPasskeys(round));
      return;
    } catch {
      // Another challenge only in place of an old one.
      if (!round.aborted) return;
    }
  }
}

async function canAutofill(): Promise<boolean | undefined> {
  return PublicKeyCredential.isConditionalMediationAvailable?.();
}

function untilUserActs(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen = new AbortController();
  const done = (): void => {
    seen.abort();
    resolve();
  };
  for (const sign of SIGNS_OF_A_USER) {
    addEventListener(sign, done, { passive: true, signal: seen.signal });
  }
  signal.addEventListener('abort', done, { signal: seen.signal });
  return promise;
}
