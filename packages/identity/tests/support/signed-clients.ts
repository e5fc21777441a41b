import { GetCredentialsForIdentityCommand, GetIdCommand } from '@aws-sdk/client-cognito-identity';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { STSClient } from '@aws-sdk/client-sts';
import { accessKeyPolicies } from '../../src/access-keys/access-key-policies.ts';
import type { IdentityServer } from './identity-server.ts';
import { identityPoolClient } from './wire-clients.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface ClientOptions {
  readonly maxAttempts?: number;
  /** How far the client's own clock is off. */
  readonly systemClockOffset?: number;
}

/** One attempt only, unless told otherwise; its clock goes with the server's, which a test may have turned forward. */
function clientConfig(server: IdentityServer, options: ClientOptions) {
  return {
    region: 'us-east-1',
    endpoint: server.endpoint,
    maxAttempts: options.maxAttempts ?? 1,
    systemClockOffset: options.systemClockOffset ?? server.clock.now() - Date.now(),
  };
}

export function signedPoolClient(
  server: IdentityServer,
  credentials: Credentials,
  options: ClientOptions = {},
): CognitoIdentityProviderClient {
  return new CognitoIdentityProviderClient({ ...clientConfig(server, options), credentials });
}

export function stsClient(
  server: IdentityServer,
  credentials: Credentials,
  options: ClientOptions = {},
): STSClient {
  return new STSClient({ ...clientConfig(server, options), credentials });
}

let keys = 0;

/** A new access key; by default it may do everything with users. */
export function newAccessKey(
  server: IdentityServer,
  policy: unknown = accessKeyPolicies['administer-users'],
) {
  keys += 1;
  return server.service.accessKeys.createAccessKey({ name: `key-${keys}`, policy });
}

export function loginsOf(server: IdentityServer, idToken: string): Record<string, string> {
  return { [server.service.settings.issuer.replace('http://', '')]: idToken };
}

/** Temporary credentials of the identity pool; without a token a guest's. */
export async function poolCredentials(
  server: IdentityServer,
  idToken?: string,
  customRoleArn?: string,
): Promise<Required<Credentials> & { readonly identityId: string; readonly expiration: Date }> {
  const client = identityPoolClient(server);
  const Logins = idToken === undefined ? {} : loginsOf(server, idToken);
  const { IdentityId } = await client.send(
    new GetIdCommand({ IdentityPoolId: server.service.settings.identityPoolId, Logins }),
  );
  const reply = await client.send(
    new GetCredentialsForIdentityCommand({ IdentityId, Logins, CustomRoleArn: customRoleArn }),
  );
  const { AccessKeyId, SecretKey, SessionToken, Expiration } = reply.Credentials ?? {};
  return {
    accessKeyId: AccessKeyId ?? '',
    secretAccessKey: SecretKey ?? '',
    sessionToken: SessionToken ?? '',
    identityId: reply.IdentityId ?? '',
    expiration: Expiration ?? new Date(0),
  };
}
