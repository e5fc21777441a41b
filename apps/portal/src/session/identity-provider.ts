import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/** The supported identity providers. */
export const IdentityProvider = { COGNITO: 'cognito', AUTHING: 'authing' } as const;
export type IdentityProvider = (typeof IdentityProvider)[keyof typeof IdentityProvider];

/** The provider as configured on the server, by a setting or by the region of the deployment. */
export function providerOf(config: Pick<BrowserConfig, 'providerSet'>): IdentityProvider {
  return config.providerSet;
}
