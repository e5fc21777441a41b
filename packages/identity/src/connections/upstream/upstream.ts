import type { WebConnection } from '../connection.ts';
import type { OutsidePerson } from '../outside-person.ts';
import { createCasUpstream } from './cas-upstream.ts';
import { createOauthUpstream } from './oauth-upstream.ts';
import { createOidcUpstream } from './oidc-upstream.ts';
import { createSamlUpstream } from './saml-upstream.ts';

/** One sign-in at the other side. */
export interface Trip {
  readonly state: string;
  /** Where the other side sends the browser back to. */
  readonly callbackUrl: string;
  /** Whether a sign-in of before must not do. */
  readonly isForced?: boolean;
}

/** What has to be known again when the browser comes back; never leaves the server in clear. */
export interface Memory {
  readonly nonce?: string | undefined;
  readonly codeVerifier?: string | undefined;
  readonly requestId?: string | undefined;
}

/** How another provider is spoken to. */
export interface Upstream {
  /** @param nonce of the client that began, where it chose one */
  begin(trip: Trip, nonce?: string): Promise<{ readonly url: string; readonly memory: Memory }>;
  /**
   * Who came back. Everything that the protocol can check is checked.
   * @throws whatever is wrong with the answer
   */
  finish(trip: Trip, memory: Memory, answer: URLSearchParams): Promise<OutsidePerson>;
}

/** @param ownName what this provider calls itself towards SAML identity providers */
export function createUpstream(connection: WebConnection, ownName: string): Upstream {
  switch (connection.protocol) {
    case 'oidc':
    case 'azure-ad':
      return createOidcUpstream(connection);
    case 'oauth':
      return createOauthUpstream(connection);
    case 'saml':
      return createSamlUpstream(connection, ownName);
    case 'cas':
      return createCasUpstream(connection);
  }
}
