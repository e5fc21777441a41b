import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/** The user pool in the library's words. Without an endpoint it goes to the address of the pool's region. */
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
