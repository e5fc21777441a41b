import type { BrowserConfig } from '@deviceportal/contract/browser-config';

/** The identity providers that the portal can sign in with. */
export const IdentityProvider = { COGNITO: 'cognito', AUTHING: 'authing' } as const;
export type IdentityProvider = (typeof IdentityProvider)[keyof typeof IdentityProvider];

/** The server chooses: by its setting, else by the deployment's region. */
export function providerOf(config: Pick<BrowserConfig, 'providerSet'>): IdentityProvider {
  return config.providerSet;
}
