import type { CDPSession, Page } from 'playwright-core';

/** An authenticator of the browser that verifies its user without a dialog. */
export interface VirtualAuthenticator {
  /** What happens when a page asks for a passkey: the user confirms, or fails the verification. */
  readonly setUserVerified: (isVerified: boolean) => Promise<void>;
  /** Whether its user confirms at all. Without this, a passkey that is offered in a field is not chosen. */
  readonly setPresent: (isPresent: boolean) => Promise<void>;
  readonly countCredentials: () => Promise<number>;
}

/** Adds an authenticator to the page, as a laptop with a fingerprint reader has one. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    setUserVerified: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    setPresent: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    async countCredentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
  };
}
