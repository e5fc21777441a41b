import type { ProviderSetConfig } from './config.ts';

/** Where people sign in at a provider that this installation does not serve. */
export type OutsideProviderSet = Exclude<ProviderSetConfig, { readonly source: 'embedded' }>;

/** Whether people sign in at the embedded user pool; else at the provider at `/idp`, or elsewhere. */
export function hasOwnUserPool({ kind, source }: ProviderSetConfig): boolean {
  return source === 'embedded' && kind === 'cognito';
}

type Service = 'cognito-idp' | 'cognito-identity';

/** Where AWS serves a region's user pools or identity pools; China's regions have a domain of their own. */
function hostedEndpoint(service: Service, region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${service}.${region}.${domain}`;
}

/** The origins that a browser calls to sign in; none of them is the portal's own. */
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

/** Issuer of the id tokens: a user pool's is its address with its id. */
export function issuerOf(providerSet: OutsideProviderSet): string {
  if (providerSet.kind === 'authing') return providerSet.issuer;
  const { region, userPoolId, userPoolEndpoint } = providerSet;
  return `${userPoolEndpoint ?? hostedEndpoint('cognito-idp', region)}/${userPoolId}`;
}

/**
 * What clients of the identity pool may call the issuer in `Logins`: its address without the scheme, as its tokens say
 * it, and for a user pool also the name that older clients make of region and id.
 */
export function loginNamesOf(providerSet: OutsideProviderSet): [string, ...string[]] {
  const issuer = issuerOf(providerSet).replace(/^https?:\/\//, '');
  if (providerSet.kind === 'authing') return [issuer];
  const { region, userPoolId } = providerSet;
  return [issuer, `${new URL(hostedEndpoint('cognito-idp', region)).host}/${userPoolId}`];
}
