import type { CallOrigin } from '../wire/call-origin.ts';
import { operation, type Operation } from '../wire/operation.ts';
import {
  accessTokenSchema,
  getTokensFromRefreshTokenSchema,
  initiateAuthSchema,
  respondToAuthChallengeSchema,
  revokeTokenSchema,
  signUpSchema,
} from '../wire/user-pool-shapes.ts';
import { notAuthorized, WireError } from '../wire/wire-error.ts';
import { requireClientSecret } from './client-secret.ts';
import { requireAppClient } from './find-sign-in-user.ts';
import { getUser } from './get-user.ts';
import { globalSignOut } from './global-sign-out.ts';
import { initiateAuth } from './initiate-auth.ts';
import type { PoolContext } from './pool-context.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { respondToAuthChallenge } from './respond-to-auth-challenge.ts';
import { revokeToken } from './revoke-token.ts';

/** The operations of the user pool by name (`AWSCognitoIdentityProviderService.<name>`). */
export function userPoolOperations(context: PoolContext): Record<string, Operation> {
  return {
    InitiateAuth: operation(initiateAuthSchema, (input, origin) =>
      recordingRefusal(context, { username: input.AuthParameters['USERNAME'], origin }, () =>
        initiateAuth(context, input, origin),
      ),
    ),
    RespondToAuthChallenge: operation(respondToAuthChallengeSchema, (input, origin) =>
      recordingRefusal(context, { username: input.ChallengeResponses['USERNAME'], origin }, () =>
        respondToAuthChallenge(context, input, origin),
      ),
    ),
    SignUp: operation(signUpSchema, async (input) => {
      await requireAppClient(context.pool, input.ClientId);
      // The message of a hosted pool in which only administrators create users, for all usernames.
      throw notAuthorized('SignUp is not permitted for this user pool');
    }),
    GetTokensFromRefreshToken: operation(getTokensFromRefreshTokenSchema, async (input) => {
      const client = await requireAppClient(context.pool, input.ClientId);
      requireClientSecret(context, client, input.ClientSecret);
      const result = await refreshTokens(context, { client, refreshToken: input.RefreshToken });
      return { AuthenticationResult: result };
    }),
    RevokeToken: operation(revokeTokenSchema, (input, origin) =>
      revokeToken(
        context,
        { clientId: input.ClientId, token: input.Token, clientSecret: input.ClientSecret },
        origin,
      ),
    ),
    GlobalSignOut: operation(accessTokenSchema, (input, origin) =>
      globalSignOut(context, input.AccessToken, origin),
    ),
    GetUser: operation(accessTokenSchema, (input) => getUser(context, input.AccessToken)),
  };
}

/** Records a rejected sign-in and rethrows the error. */
async function recordingRefusal<T>(
  context: PoolContext,
  attempt: { readonly username: string | undefined; readonly origin: CallOrigin },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WireError) {
      context.record({
        kind: error.name === 'TooManyRequestsException' ? 'limited' : 'signInRefused',
        at: new Date(context.clock.now()),
        sub: undefined,
        username: attempt.username,
        address: attempt.origin.address,
        requestId: attempt.origin.requestId,
        detail: `${error.name}: ${error.message}`,
      });
    }
    throw error;
  }
}
