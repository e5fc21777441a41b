import type { JWT } from '@aws-amplify/core';
import type { PortalSession } from './session-keeper.ts';

/** The person as the provider keeps them, for what a token does not carry. */
export interface PersonFacts {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** The session as the product sees it; the user name is the e-mail, else the phone number, else the name. */
export function toSession(idToken: JWT, facts: PersonFacts = {}): PortalSession {
  const { exp, email, phone_number: phone, name } = idToken.payload;
  const names = [email, phone, name, facts.email, facts.phone, facts.name];
  return {
    expiresAt: (exp ?? 0) * 1_000,
    idToken: idToken.toString(),
    username: String(names.find((each) => typeof each === 'string' && each !== '') ?? ''),
  };
}
