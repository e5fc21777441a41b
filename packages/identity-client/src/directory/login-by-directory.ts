import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { signIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';

export interface DirectoryLogin {
  readonly username: string;
  /** Sent unencrypted inside TLS, because the directory needs the plain password. */
  readonly password: string;
  readonly clientIp?: string | undefined;
  readonly withCustomData?: boolean | undefined;
}

/** Signs in with an LDAP account. */
export async function loginByLdap(
  client: IdentityClient,
  login: DirectoryLogin,
  { signal }: CallOptions = {},
): Promise<User> {
  const path = '/api/v2/ldap/verify-user';
  return signIn(client, await client.rest({ method: 'POST', path, body: bodyOf(login), signal }));
}

/** Signs in with an Active Directory account, at the host that connects to the directory. */
export async function loginByAd(
  client: IdentityClient,
  login: DirectoryLogin,
  { signal }: CallOptions = {},
): Promise<User> {
  const reply = await client.rest({
    method: 'POST',
    base: directoryHost(client),
    path: '/api/v2/ad/verify-user',
    body: bodyOf(login),
    signal,
  });
  return signIn(client, reply);
}

function bodyOf({ username, password, clientIp, withCustomData }: DirectoryLogin): object {
  return { username, password, clientIp, withCustomData };
}

/** The configured host, or the host with its first label replaced by `ws`. */
function directoryHost({ options, baseUrl }: IdentityClient): string {
  if (options.websocketHost !== undefined) return options.websocketHost.replace(/\/$/, '');
  const [, ...labels] = new URL(baseUrl).host.split('.');
  return `https://ws.${labels.join('.')}`;
}
