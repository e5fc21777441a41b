import { session } from './session.ts';
import { withdrawStepUp } from './withdraw-step-up.ts';
import { listenToTabs, tellTabs } from './session-channel.ts';
import { signInLayer } from './sign-in-layer.ts';
import { availableLibrary } from './sign-in-library.ts';
import { storeSubject } from './stored-subject.ts';

/**
 * Milliseconds. Longer than a successful call takes, so that a sign-out does not wait for an
 * unreachable network.
 */
const CALL_LIMIT_MS = 3_000;

/**
 * Ends the session in this browser. Everything is deleted even if the call fails, and the browser
 * then goes to `/`.
 */
export async function signOutEverywhere(): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, CALL_LIMIT_MS));
  try {
    const ended = Promise.all([withdrawStepUp().catch(() => {}), signInLayer().endSession()]);
    await Promise.race([ended, limit]);
  } catch {
    // The provider could not be reached. The session is deleted in this browser nevertheless.
  }
  await clearSession().catch(() => undefined);
  tellTabs({ kind: 'signed-out' });
  location.assign('/');
}

/** Deletes tokens and credentials without notifying the provider. */
export async function clearSession(): Promise<void> {
  session.forget();
  storeSubject(null);
  await Promise.allSettled([
    signInLayer().clearTokens(),
    availableLibrary().then((library) => library?.clearCredentials()),
  ]);
}

/** Follows other tabs: this page ends after a sign-out, or a sign-in as another user. */
export function followOtherTabs(ownSubject: string, onSignedInAgain: () => void): void {
  listenToTabs((news) => {
    if (news.kind === 'signed-out' || news.subject !== ownSubject) {
      location.assign('/');
      return;
    }
    session.forget();
    onSignedInAgain();
  });
}
