import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import { signOut } from '@aws-amplify/auth';
import { session } from './session.ts';

const CHANNEL = 'deviceportal.session';

/** Ends the session in this browser: everything is cleared even if the call fails, then the browser goes to `/`. */
export async function signOutEverywhere(): Promise<void> {
  try {
    await signOut();
  } catch {
    // The refresh token could not be revoked; this browser forgets it all the same.
  }
  await clearSession();
  new BroadcastChannel(CHANNEL).postMessage('signed-out');
  location.assign('/');
}

/** Forgets tokens and credentials without telling anyone, before another sign-in. */
export async function clearSession(): Promise<void> {
  session.forget();
  await cognitoUserPoolsTokenProvider.tokenOrchestrator.clearTokens();
  localStorage.removeItem('deviceportal.federated');
}

/** Signing out in one tab signs out all of them. */
export function followSignOut(): void {
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }) => {
    if (data === 'signed-out') location.assign('/');
  });
}
