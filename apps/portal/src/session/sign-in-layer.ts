import type { JWT } from '@aws-amplify/core';
import type { Challenge } from './challenge.ts';
import type { IdentifierKind } from './identifier-input.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { PortalSession } from './session-keeper.ts';

/** A provider's user as far as the portal takes note of them. */
export interface AcceptedUser {
  readonly id: string;
  readonly token?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly name?: string | null;
}

/** The tokens of a session as the cloud credentials need them. */
export interface LayerTokens {
  readonly idToken: JWT;
  /** The id token again where the provider has only one. */
  readonly accessToken: JWT;
}

/**
 * What signing in means to the rest of the portal, whichever provider does it: start authentication, code, session.
 * Failures are a `SignInError` where docs/design/sign-in.md, section 8, names them, else the provider's own error.
 */
export interface SignInLayer {
  readonly provider: IdentityProvider;
  /** What the provider can send a code to. */
  readonly identifierKinds: readonly IdentifierKind[];
  /** Loads what only signing in needs, before it is needed. */
  prepare(): Promise<void>;
  /** Sends a code to whom the identifier names. Rejects with 3000 or 3002. */
  startAuthentication(identifier: string): Promise<Challenge>;
  /** Sends another code in the same sign-in; the older one is void then. */
  resendCode(challenge: Challenge): Promise<Challenge>;
  /** Rejects with 3001 for a wrong code (with what is asked next), 3002 when the tries are used up, 3003 when it took too long. */
  submitCode(challenge: Challenge, code: string): Promise<PortalSession>;
  /** Somebody who signed in at the provider by other means than a code; undefined where there are none. */
  readonly acceptUser?: (user: AcceptedUser) => Promise<PortalSession>;
  /** The stored session, or one with new tokens; null where there is none. */
  readSession(options: { readonly refresh: boolean }): Promise<PortalSession | null>;
  readTokens(): Promise<LayerTokens | null>;
  /** Tells the provider that the session has ended. */
  endSession(): Promise<void>;
  /** Forgets the tokens in this browser. */
  clearTokens(): Promise<void>;
}

let chosen: SignInLayer | undefined;

export function setSignInLayer(layer: SignInLayer): void {
  chosen = layer;
}

/** The layer that the configuration chose. */
export function signInLayer(): SignInLayer {
  if (chosen === undefined) throw new Error('Sign-in is not configured yet.');
  return chosen;
}
