import type { Application } from '../applications/application.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { isDirectory, isSocial, type WebConnection } from './connection.ts';
import { pathOf, webConnections } from './find-connection.ts';

/** A provider elsewhere, as sign-in pages show it. */
interface OfferedConnection {
  readonly identifier: string;
  readonly displayName: string;
  readonly logo: string | null;
}

/** Public information about an application for sign-in pages, without secrets. */
export interface PublicConfig {
  readonly id: string;
  readonly userPoolId: string;
  readonly name: string;
  readonly logo: string | null;
  /** docs/design/sign-in.md, section 3, "Login methods". */
  readonly loginMethods: readonly string[];
  readonly identityProviders: readonly (OfferedConnection & {
    readonly protocol: string;
    readonly config: object;
  })[];
  readonly socialConnections: readonly (OfferedConnection & { readonly provider: string })[];
}

export function publicConfigOf(
  context: Pick<ProviderContext, 'settings'>,
  application: Application,
): PublicConfig {
  const { appId, userPoolId, name, logo } = application;
  const { connections } = context.settings;
  const directories = connections.filter(isDirectory).map(({ protocol }) => protocol);
  const web = webConnections(context);
  return {
    id: appId,
    userPoolId,
    name,
    logo,
    loginMethods: [...new Set(['password', 'phone-code', 'app-qrcode', ...directories])],
    identityProviders: web
      .filter((each) => !isSocial(each))
      .map((each) => ({
        protocol: each.protocol,
        identifier: each.identifier,
        displayName: each.displayName,
        logo: each.logo ?? null,
        config: enterpriseConfigOf(context, application, each),
      })),
    socialConnections: web.filter(isSocial).map(({ identifier, displayName, logo: picture }) => ({
      provider: identifier,
      identifier,
      displayName,
      logo: picture ?? null,
    })),
  };
}

/** Start URL of each protocol, in the fields that clients read (identity-sdk.md, section 12). */
function enterpriseConfigOf(
  { settings: { baseUrl } }: Pick<ProviderContext, 'settings'>,
  { appId }: Application,
  connection: WebConnection,
): object {
  const start = `${baseUrl}${pathOf(connection)}/start`;
  if (connection.protocol === 'oidc') {
    return {
      // The misspelling is part of the contract. The client adds state and nonce; this provider
      // adds PKCE and redirects.
      authorizationEdpoint: start,
      clientId: appId,
      redirectUri: `${baseUrl}${pathOf(connection)}/callback`,
      scopes: connection.scope,
      responseType: 'code',
    };
  }
  const url = `${start}?app_id=${encodeURIComponent(appId)}`;
  const fields = {
    saml: 'samlRequest',
    cas: 'casConnectionLoginUrl',
    oauth: 'authUrl',
    'azure-ad': 'authorizationUrl',
  } as const;
  return { [fields[connection.protocol]]: url };
}
