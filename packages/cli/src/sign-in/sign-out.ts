import type { Session } from '../session.ts';
import { OAuthClient } from './oauth-client.ts';

/** Ends the token at the portal, and deletes it here. */
export async function signOut(session: Session): Promise<void> {
  const { printer, signIns } = session;
  const portal = await session.portalUrl();
  const stored = await signIns.find(portal);
  if (stored !== undefined) {
    await (await OAuthClient.discover(portal)).revoke(stored.token);
    await signIns.remove(portal);
  }
  const isSignedOut = stored !== undefined;
  if (printer.isJson) printer.json({ portal, revoked: isSignedOut });
  else printer.line(isSignedOut ? `Signed out of ${portal}.` : `Not signed in to ${portal}.`);
}
