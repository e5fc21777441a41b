import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/**
 * The configuration of the user pool. Without an endpoint, the library uses the region of the pool.
 */
export function userPoolOf(
  config: Pick<BrowserConfig, 'userPoolId' | 'userPoolClientId' | 'userPoolEndpoint'>,
  origin: string,
) {
  return {
    userPoolId: config.userPoolId,
    userPoolClientId: config.userPoolClientId,
    ...(config.userPoolEndpoint !== null && {
      userPoolEndpoint: new URL(config.userPoolEndpoint, origin).href,
    }),
  };
}
