import type { JWT } from '@aws-amplify/core';
import type { Challenge } from './challenge.ts';
import type { IdentifierKind } from './identifier-input.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { PortalSession } from './session-keeper.ts';

/** The parts of a provider’s user that the portal needs. */
export interface AcceptedUser {
  readonly id: string;
  readonly token?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly name?: string | null;
}

/** The tokens of a session for the cloud credentials. */
export interface LayerTokens {
  readonly idToken: JWT;
  /** Equal to the ID token if the provider has only one token. */
  readonly accessToken: JWT;
}

/**
 * The sign-in interface that every provider implements. Failures listed in docs/design/sign-in.md,
 * section 8, are a `SignInError`; other failures are the provider’s own error.
 */
export interface SignInLayer {
  readonly provider: IdentityProvider;
  /** Kinds of identifiers to which the provider can send a code. */
  readonly identifierKinds: readonly IdentifierKind[];
  /** Preloads what only signing in needs. */
  prepare(): Promise<void>;
  /** Sends a code to the user. Rejects with 3000 or 3002. */
  startAuthentication(identifier: string): Promise<Challenge>;
  /** Sends another code in the same sign-in. The previous one is no longer valid. */
  resendCode(challenge: Challenge): Promise<Challenge>;
  /**
   * Rejects with 3001 for a wrong code (with the next challenge), 3002 after too many attempts,
   * 3003 if the sign-in expired.
   */
  submitCode(challenge: Challenge, code: string): Promise<PortalSession>;
  /** Passkeys of the embedded user pool. Undefined with other providers. */
  readonly passkeys?: {
    /** Signs in with a passkey in place of a code. */
    signIn(): Promise<PortalSession>;
    /**
     * Offers passkeys in the field for the username. Resolves when the user has chosen one, with the function that signs
     * in; rejects when the signal is aborted.
     */
    offer(signal: AbortSignal): Promise<() => Promise<PortalSession>>;
    /** Completes a sign-in with the credential as JSON, or a recovery code. */
    answer(text: string): Promise<PortalSession>;
  };
  /** Accepts a user who signed in by another method than a code. Undefined if there is none. */
  readonly acceptUser?: (user: AcceptedUser) => Promise<PortalSession>;
  /** The stored session, or a refreshed one. Null without a session. */
  readSession(options: { readonly refresh: boolean }): Promise<PortalSession | null>;
  readTokens(): Promise<LayerTokens | null>;
  /** Ends the session at the provider. */
  endSession(): Promise<void>;
  /** Deletes the tokens in this browser. */
  clearTokens(): Promise<void>;
}

let chosen: SignInLayer | undefined;

export function setSignInLayer(layer: SignInLayer): void {
  chosen = layer;
}

/** The layer of the configured provider. */
export function signInLayer(): SignInLayer {
  if (chosen === undefined) throw new Error('Sign-in is not configured yet.');
  return chosen;
}
