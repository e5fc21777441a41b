import type { JWT } from '@aws-amplify/core';
import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import { createSessionKeeper, type PortalSession } from './session-keeper.ts';

const LOCK = 'deviceportal.session-refresh';

/** This tab's session, refreshed by one tab at a time. */
export const session = createSessionKeeper({
  async read({ refresh }) {
    const tokens = await cognitoUserPoolsTokenProvider.getTokens({ forceRefresh: refresh });
    return tokens?.idToken === undefined ? null : toSession(tokens.idToken);
  },
  // Web Locks exist only in secure contexts; a plain-http page on a LAN does without.
  exclusively: (work) =>
    typeof navigator.locks === 'object' ? navigator.locks.request(LOCK, work) : work(),
  nowMs: () => Date.now(),
});

export function toSession(idToken: JWT): PortalSession {
  const { exp, email, phone_number: phone, name } = idToken.payload;
  return {
    expiresAt: (exp ?? 0) * 1_000,
    idToken: idToken.toString(),
    username: String(email ?? phone ?? name ?? ''),
  };
}
