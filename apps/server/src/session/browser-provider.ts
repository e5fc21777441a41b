import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { ProviderSetConfig } from '../platform/config/config.ts';

/** What the embedded user pool and identity pool are called. */
export interface EmbeddedPools {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly identityPoolId: string;
}

export interface EmbeddedParts {
  readonly pools: EmbeddedPools;
  readonly region: string;
  /** The provider at `/idp`; null where people sign in elsewhere. */
  readonly provider: BrowserConfig['provider'];
}

type BrowserProvider = Pick<
  BrowserConfig,
  | 'providerSet'
  | 'region'
  | 'userPoolId'
  | 'userPoolClientId'
  | 'userPoolEndpoint'
  | 'identityPoolId'
  | 'identityPoolEndpoint'
  | 'authing'
  | 'livePath'
>;

const nowhere = {
  userPoolId: '',
  userPoolClientId: '',
  userPoolEndpoint: null,
  identityPoolId: null,
  identityPoolEndpoint: null,
  authing: null,
  livePath: null,
} as const;

/**
 * Where the browser signs in and what cloud credentials open for it. The live channel's broker knows the credentials of
 * the embedded identity pool alone, which takes the logins of whatever provider is configured; with a hosted identity
 * pool screens ask again by themselves.
 */
export function browserProviderOf(
  providerSet: ProviderSetConfig,
  { pools, region, provider }: EmbeddedParts,
): BrowserProvider {
  const cloud = {
    ...nowhere,
    identityPoolId: pools.identityPoolId,
    // Relative to the page: the portal also answers under other names than the frozen one.
    identityPoolEndpoint: '/identity',
    livePath: '/mqtt',
  };
  if (providerSet.kind === 'authing') {
    // Its own address is relative to the page, too.
    const named = providerSet.source === 'embedded' ? provider : providerSet;
    const authing = named && { appId: named.appId, host: named.host };
    return { ...cloud, providerSet: 'authing', region, authing };
  }
  if (providerSet.source === 'embedded') {
    return {
      ...cloud,
      providerSet: 'cognito',
      region: pools.region,
      userPoolId: pools.userPoolId,
      userPoolClientId: pools.userPoolClientId,
      userPoolEndpoint: '/identity',
    };
  }
  const { identityPool } = providerSet;
  return {
    ...(identityPool === undefined ? cloud : nowhere),
    providerSet: 'cognito',
    region: providerSet.region,
    userPoolId: providerSet.userPoolId,
    userPoolClientId: providerSet.userPoolClientId,
    userPoolEndpoint: providerSet.userPoolEndpoint ?? null,
    ...(identityPool !== undefined && {
      identityPoolId: identityPool.id,
      identityPoolEndpoint: identityPool.endpoint ?? null,
    }),
  };
}
