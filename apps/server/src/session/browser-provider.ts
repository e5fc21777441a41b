import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { ProviderSetConfig } from '../platform/config/config.ts';

/** Ids of the embedded user pool and identity pool. */
export interface EmbeddedPools {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly identityPoolId: string;
}

export interface EmbeddedParts {
  readonly pools: EmbeddedPools;
  readonly region: string;
  /** The provider at `/idp`; null if users sign in elsewhere. */
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
  | 'identityPoolAccountId'
  | 'authing'
  | 'livePath'
  | 'livePoolId'
>;

/**
 * The browser's sign-in configuration, and what cloud credentials give access to. Only AWS can verify a signature that
 * was made with credentials of a hosted identity pool. The live channel therefore accepts only credentials of the
 * embedded identity pool, which accepts sign-ins of every configured provider.
 */
export function browserProviderOf(
  providerSet: ProviderSetConfig,
  { pools, region, provider }: EmbeddedParts,
): BrowserProvider {
  const cloud = {
    ...{ userPoolId: '', userPoolClientId: '', userPoolEndpoint: null },
    identityPoolId: pools.identityPoolId,
    // Relative to the page: the portal may be reachable under other names than the configured one.
    identityPoolEndpoint: '/identity',
    identityPoolAccountId: null,
    authing: null,
    livePath: '/mqtt',
    livePoolId: null,
  };
  if (providerSet.kind === 'authing') {
    // The URL of the embedded provider is also relative to the page.
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
    ...cloud,
    providerSet: 'cognito',
    region: providerSet.region,
    userPoolId: providerSet.userPoolId,
    userPoolClientId: providerSet.userPoolClientId,
    userPoolEndpoint: providerSet.userPoolEndpoint ?? null,
    ...(identityPool !== undefined && {
      identityPoolId: identityPool.id,
      identityPoolEndpoint: identityPool.endpoint ?? null,
      identityPoolAccountId: identityPool.accountId ?? null,
      livePoolId: pools.identityPoolId,
    }),
  };
}
