import { clearCredentials } from '@aws-amplify/core';
import { session } from './session.ts';
import { hearTabs, tellTabs } from './session-channel.ts';
import { signInLayer } from './sign-in-layer.ts';
import { storeSubject } from './stored-subject.ts';

/** Longer than a good call takes; who signs out does not wait for a network that is gone. */
const CALL_LIMIT_MS = 3_000;

/** Ends the session in this browser: everything is cleared even if the call fails, then the browser goes to `/`. */
export async function signOutEverywhere(): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, CALL_LIMIT_MS));
  try {
    await Promise.race([signInLayer().endSession(), limit]);
  } catch {
    // The provider could not be told; this browser forgets the session all the same.
  }
  await clearSession().catch(() => undefined);
  tellTabs({ kind: 'signed-out' });
  location.assign('/');
}

/** Forgets tokens and credentials without telling anyone. */
export async function clearSession(): Promise<void> {
  session.forget();
  storeSubject(null);
  await Promise.allSettled([signInLayer().clearTokens(), clearCredentials()]);
}

/** What other tabs do counts here: signing out ends this page, and so does another person's sign-in. */
export function followOtherTabs(ownSubject: string, onSignedInAgain: () => void): void {
  hearTabs((news) => {
    if (news.kind === 'signed-out' || news.subject !== ownSubject) {
      location.assign('/');
      return;
    }
    session.forget();
    onSignedInAgain();
  });
}
