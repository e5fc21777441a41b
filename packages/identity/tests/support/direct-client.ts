import type { IdentityServer } from './identity-server.ts';

/** A reply of the user pool, whatever it was. */
export interface PoolReply {
  readonly Session?: string;
  readonly ChallengeName?: string;
  readonly ChallengeParameters?: Readonly<Record<string, string>>;
  readonly AuthenticationResult?: { readonly AccessToken: string; readonly RefreshToken: string };
  readonly __type?: string;
  readonly message?: string;
}

/** Calls without a network between, for tests that need thousands of them or many addresses. */
export async function callPool(
  { service }: Pick<IdentityServer, 'service'>,
  operation: string,
  input: object,
  address = '127.0.0.1',
): Promise<PoolReply> {
  const reply = await service.handle({
    method: 'POST',
    url: '/identity',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
    body: JSON.stringify({ ClientId: service.settings.userPoolClientId, ...input }),
    address,
  });
  return JSON.parse(reply.body) as PoolReply;
}

export function start(
  server: Pick<IdentityServer, 'service'>,
  username: string,
  address?: string,
): Promise<PoolReply> {
  const input = { AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: username } };
  return callPool(server, 'InitiateAuth', input, address);
}

export function answer(
  server: Pick<IdentityServer, 'service'>,
  input: {
    readonly username: string;
    readonly session: string | undefined;
    readonly code: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly address?: string;
  },
): Promise<PoolReply> {
  return callPool(
    server,
    'RespondToAuthChallenge',
    {
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session: input.session,
      ChallengeResponses: { USERNAME: input.username, ANSWER: input.code },
      ...(input.metadata && { ClientMetadata: input.metadata }),
    },
    input.address,
  );
}
