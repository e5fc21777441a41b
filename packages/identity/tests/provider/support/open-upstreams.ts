import type { ProviderSettingsInput } from '../../../src/provider/provider-settings.ts';
import { loadSamlCertificate } from '../../../src/saml/saml-certificate.ts';
import { openProvider, type OpenProvider } from './open-provider.ts';

/** Who has an account at the other provider. */
export const ADA = { email: 'ada@corp.example', password: 'Correct horse 1' };

/** A provider, and another one with whose accounts people may sign in to it: by each protocol. */
export interface TwoProviders extends AsyncDisposable {
  readonly idp: OpenProvider;
  readonly upstream: OpenProvider;
}

export async function openTwoProviders(
  settings: Partial<ProviderSettingsInput> = {},
): Promise<TwoProviders> {
  await using cleanup = new AsyncDisposableStack();
  const upstream = cleanup.use(await openProvider({ limits: 'off' }, { hostname: 'localhost' }));
  await upstream.makeUser({
    ...ADA,
    ...{ emailVerified: true, username: 'ada', profile: { name: 'Ada' } },
  });
  const { connections = [], ...more } = settings;
  const idp = cleanup.use(
    await openProvider({
      limits: 'off',
      connections: [...(await connectionsTo(upstream)), ...connections],
      ...more,
    }),
  );
  const application = await upstream.context.applications.find(upstream.appId);
  if (application === undefined) throw new Error('the other provider has no application');
  await upstream.context.applications.save({
    ...application,
    redirectUris: ['oidc/corp', 'social/buddies', 'saml/corp-saml', 'cas/corp-cas'].map(
      (path) => `${idp.host}/connections/${path}/callback`,
    ),
  });
  const owned = cleanup.move();
  return { idp, upstream, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

type ConnectionsInput = NonNullable<ProviderSettingsInput['connections']>;

async function connectionsTo({ appId, context, host }: OpenProvider): Promise<ConnectionsInput> {
  const saml = `${host}/api/v2/saml-idp/${appId}`;
  const trusted = { trustsEmail: true };
  const web = { clientId: appId, clientSecret: context.settings.application.secret };
  return [
    {
      ...{ protocol: 'oidc', identifier: 'corp', displayName: 'Corp', ...web, ...trusted },
      issuer: `${host}/oidc`,
    },
    {
      ...{ protocol: 'saml', identifier: 'corp-saml', displayName: 'Corp by SAML', ...trusted },
      ...{ idpEntityId: `${saml}/metadata`, ssoUrl: saml },
      certificates: [await loadSamlCertificate(context)],
    },
    {
      ...{ protocol: 'cas', identifier: 'corp-cas', displayName: 'Corp by CAS', ...trusted },
      serverUrl: `${host}/cas-idp/${appId}`,
    },
    {
      ...{
        protocol: 'oauth',
        kind: 'social',
        identifier: 'buddies',
        displayName: 'Buddies',
        createsUsers: true,
        ...trusted,
      },
      ...{ ...web, scope: 'openid profile email', issuer: `${host}/oidc` },
      authorizationEndpoint: `${host}/oidc/auth`,
      tokenEndpoint: `${host}/oidc/token`,
      userinfoEndpoint: `${host}/oidc/me`,
    },
  ];
}
