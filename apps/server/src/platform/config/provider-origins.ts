import type { ProviderSetConfig } from './config.ts';

/** An external sign-in provider. */
export type OutsideProviderSet = Exclude<ProviderSetConfig, { readonly source: 'embedded' }>;

/**
 * Whether users sign in at the embedded user pool. Otherwise, they sign in at the provider at
 * `/idp` or at an external one.
 */
export function hasOwnUserPool({ kind, source }: ProviderSetConfig): boolean {
  return source === 'embedded' && kind === 'cognito';
}

type Service = 'cognito-idp' | 'cognito-identity';

/**
 * AWS endpoint of a region's user pools or identity pools. Regions in China have a separate domain.
 */
function hostedEndpoint(service: Service, region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${service}.${region}.${domain}`;
}

/** Origins that a browser calls to sign in, other than the portal's own. */
export function providerOrigins(providerSet: ProviderSetConfig): string[] {
  if (providerSet.source === 'embedded') return [];
  if (providerSet.kind === 'authing') return [new URL(providerSet.host).origin];
  const { region, userPoolEndpoint, identityPool } = providerSet;
  const endpoints = [userPoolEndpoint ?? hostedEndpoint('cognito-idp', region)];
  if (identityPool !== undefined) {
    endpoints.push(
      identityPool.endpoint ?? hostedEndpoint('cognito-identity', identityPool.region),
    );
  }
  return [...new Set(endpoints.map((endpoint) => new URL(endpoint).origin))];
}

/** Issuer of the ID tokens. For a user pool, its endpoint with its ID. */
export function issuerOf(providerSet: OutsideProviderSet): string {
  if (providerSet.kind === 'authing') return providerSet.issuer;
  const { region, userPoolId, userPoolEndpoint } = providerSet;
  return `${userPoolEndpoint ?? hostedEndpoint('cognito-idp', region)}/${userPoolId}`;
}

/**
 * Names of the issuer in `Logins` of the identity pool: its URL without the scheme, as in its
 * tokens, and for a user pool also the name that older clients derive from region and ID.
 */
export function loginNamesOf(providerSet: OutsideProviderSet): [string, ...string[]] {
  const issuer = issuerOf(providerSet).replace(/^https?:\/\//, '');
  if (providerSet.kind === 'authing') return [issuer];
  const { region, userPoolId } = providerSet;
  return [issuer, `${new URL(hostedEndpoint('cognito-idp', region)).host}/${userPoolId}`];
}
