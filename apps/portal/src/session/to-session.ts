import type { PortalSession } from './session-keeper.ts';

/** An ID token with its decoded content, as in Amplify. */
export interface SessionToken {
  readonly payload: { readonly exp?: number | undefined } & Readonly<Record<string, unknown>>;
  readonly toString: () => string;
}

/** Attributes of the provider’s user that a token does not contain. */
export interface PersonFacts {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/**
 * Creates the session of the product. The username is the email address, otherwise the phone
 * number, otherwise the name.
 */
export function toSession(idToken: SessionToken, facts: PersonFacts = {}): PortalSession {
  const { exp, email, phone_number: phone, name } = idToken.payload;
  const names = [email, phone, name, facts.email, facts.phone, facts.name];
  return {
    expiresAt: (exp ?? 0) * 1_000,
    idToken: idToken.toString(),
    username: String(names.find((each) => typeof each === 'string' && each !== '') ?? ''),
  };
}
