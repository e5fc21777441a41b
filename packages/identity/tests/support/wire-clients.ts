import { CognitoIdentityClient } from '@aws-sdk/client-cognito-identity';
import {
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import type { IdentityServer } from './identity-server.ts';

/** One attempt only: a test wants to see the first answer. */
export function userPoolClient(server: IdentityServer): CognitoIdentityProviderClient {
  return new CognitoIdentityProviderClient({
    region: 'us-east-1',
    endpoint: server.endpoint,
    maxAttempts: 1,
  });
}

export function identityPoolClient(server: IdentityServer): CognitoIdentityClient {
  return new CognitoIdentityClient({
    region: 'us-east-1',
    endpoint: server.endpoint,
    maxAttempts: 1,
  });
}

export function clientId(server: IdentityServer): string {
  return server.service.settings.userPoolClientId;
}

export async function startSignIn(server: IdentityServer, identifier: string) {
  return userPoolClient(server).send(
    new InitiateAuthCommand({
      AuthFlow: 'CUSTOM_AUTH',
      ClientId: clientId(server),
      AuthParameters: { USERNAME: identifier },
    }),
  );
}

export interface ChallengeAnswer {
  readonly session: string | undefined;
  readonly username?: string;
  readonly answer: string;
  readonly metadata?: Record<string, string>;
}

export async function answerChallenge(server: IdentityServer, input: ChallengeAnswer) {
  return userPoolClient(server).send(
    new RespondToAuthChallengeCommand({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ClientId: clientId(server),
      Session: input.session,
      ChallengeResponses: { USERNAME: input.username ?? 'anna', ANSWER: input.answer },
      ClientMetadata: input.metadata,
    }),
  );
}

export interface Tokens {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly RefreshToken: string;
}

/** A whole sign-in; the person must have an e-mail address. */
export async function signIn(
  server: IdentityServer,
  person: { readonly username: string; readonly email: string },
): Promise<Tokens> {
  const started = await startSignIn(server, person.username);
  const reply = await answerChallenge(server, {
    session: started.Session,
    username: person.username,
    answer: server.codeFor(person.email),
  });
  return reply.AuthenticationResult as Tokens;
}

/** A code that is not the given one. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

export const anna = {
  username: 'anna',
  email: 'anna@corp.example',
  phoneNumber: '+48123456789',
  name: 'Anna',
};
