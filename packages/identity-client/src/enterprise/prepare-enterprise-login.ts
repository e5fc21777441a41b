import { malformed } from '../core/call-rest.ts';
import { queryText } from '../core/base-url.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { randomText } from '../core/random-text.ts';
import { localError, report } from '../core/report.ts';
import { asRecord } from '../core/send.ts';
import { STATE_LENGTH } from '../protocols/authorize-url.ts';
import type { EnterpriseLogin } from './enterprise-login.ts';

/** The field of each protocol's configuration with the sign-in URL. */
const URL_FIELDS: Readonly<Record<string, string>> = {
  saml: 'samlRequest',
  cas: 'casConnectionLoginUrl',
  oauth: 'authUrl',
  'azure-ad': 'authorizationUrl',
};

/** Finds the application's provider, and starts an OIDC sign-in on the server. */
export async function prepareEnterpriseLogin(
  client: IdentityClient,
  { protocol, identifier }: Pick<EnterpriseLogin, 'protocol' | 'identifier'>,
  { signal }: CallOptions = {},
): Promise<{ readonly url: string; readonly state: string }> {
  const { appId } = client.options;
  const path = `/api/v2/applications/${appId}/public-config`;
  const config = asRecord(await client.rest({ method: 'GET', path, signal }));
  const own = findProvider(client, config, { protocol, identifier });
  const state = randomText(STATE_LENGTH);
  if (protocol !== 'oidc') return { url: webUrl(client, own[URL_FIELDS[protocol] ?? '']), state };
  await client.rest({
    method: 'POST',
    path: '/api/v2/connections/oidc/start-interaction',
    body: {
      state,
      protocol,
      userPoolId: config['userPoolId'],
      appId,
      referer: window.location.href,
      connection: { providerIentifier: identifier },
    },
    signal,
  });
  return { url: oidcUrl(client, own, state), state };
}

function findProvider(
  client: IdentityClient,
  { identityProviders }: Readonly<Record<string, unknown>>,
  wanted: Pick<EnterpriseLogin, 'protocol' | 'identifier'>,
): Readonly<Record<string, unknown>> {
  const all = Array.isArray(identityProviders) ? identityProviders.map(asRecord) : [];
  const found = all.find(
    ({ protocol, identifier }) => protocol === wanted.protocol && identifier === wanted.identifier,
  );
  if (found) return asRecord(found['config']);
  throw localError(client, 'PROVIDER_NOT_FOUND', {
    zh: '身份源配置不存在',
    en: 'Identity provider config does not exist',
  });
}

function oidcUrl(
  client: IdentityClient,
  config: Readonly<Record<string, unknown>>,
  state: string,
): string {
  const text = (name: string): string | undefined =>
    typeof config[name] === 'string' ? config[name] : undefined;
  const query = queryText({
    state,
    client_id: text('clientId'),
    redirect_uri: text('redirectUri'),
    scope: text('scopes'),
    response_type: text('responseType'),
    nonce: randomText(STATE_LENGTH),
  });
  // The misspelling is part of the contract.
  return `${webUrl(client, config['authorizationEdpoint'])}?${query}`;
}

/** Accepts only http and https URLs, so that a configuration cannot run a script in the window. */
function webUrl(client: IdentityClient, url: unknown): string {
  if (typeof url === 'string' && /^https?:\/\//.test(url)) return url;
  throw report(client, malformed(client));
}
