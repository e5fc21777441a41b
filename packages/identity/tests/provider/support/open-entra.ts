import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';

export const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47';
export const CLIENT = { clientId: 'portal', clientSecret: 'a secret of the portal' };

/** What Entra says of a person: `oid` never changes, `sub` is another for each application. */
export interface EntraPerson {
  readonly oid: string;
  readonly name: string;
  readonly preferred_username: string;
  readonly email?: string;
}

export interface Entra extends AsyncDisposable {
  /** `authority` of a connection. */
  readonly authority: string;
  /** By the name that is typed at its sign-in. */
  readonly people: Map<string, EntraPerson>;
  /** What its tokens say of where they are from. */
  claimsOf: (person: EntraPerson) => Record<string, unknown>;
  allow(redirectUri: string): void;
}

/**
 * An OpenID provider that is set up as Microsoft Entra ID is: the tenant in the issuer, its addresses, its claims, all of
 * them in the id token. People type their name on its own page; any password is right.
 */
export async function openEntra(): Promise<Entra> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const authority = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUris: string[] = [];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'entra', alg: 'RS256', use: 'sig' };
  const entra: Entra = {
    authority,
    people: new Map(),
    claimsOf: (person) => ({ ...person, tid: TENANT, ver: '2.0' }),
    allow: (redirectUri) => void redirectUris.push(redirectUri),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(`${authority}/${TENANT}/v2.0`, {
    jwks: { keys: [jwk as never] },
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: ['https://unused.example/'],
      },
    ],
    claims: {
      openid: ['sub', 'oid', 'tid', 'ver'],
      profile: ['name', 'preferred_username'],
      email: ['email'],
    },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => {
      const person = entra.people.get(id);
      return (
        person && {
          accountId: id,
          claims: () => ({ ...entra.claimsOf(person), sub: `pairwise of ${id}` }),
        }
      );
    },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    routes: {
      authorization: '/oauth2/v2.0/authorize',
      token: '/oauth2/v2.0/token',
      jwks: '/discovery/v2.0/keys',
      userinfo: '/oidc/userinfo',
    },
    interactions: { url: (_ctx, { uid }) => `/${TENANT}/interaction/${uid}` },
  });
  // Addresses become known after the provider has started.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => redirectUris.includes(uri);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const whole = request as typeof request & { originalUrl?: string };
    // Only what it says of itself lies below its issuer.
    whole.originalUrl = (request.url ?? '/').replace('/v2.0/.well-known/', '/.well-known/');
    request.url = whole.originalUrl.slice(`/${TENANT}`.length);
    void answer(request, response);
  });
  return entra;
}
