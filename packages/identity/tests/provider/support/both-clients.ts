import { AuthenticationClient as PublicClient } from 'authing-js-sdk';
import { AuthenticationClient as OwnClient } from '../../../../identity-client/src/index.ts';
import type { OpenProvider } from './open-provider.ts';

/** What both packages have, by the types of the public one. */
export type Client = PublicClient;

/** The unchanged public package, and our class shells that have its names. */
export const bothClients: readonly (readonly [string, (idp: OpenProvider) => Client])[] = [
  [
    'our client',
    ({ appId, host }) =>
      new OwnClient({ appId, appHost: host, lang: 'en-US' }) as unknown as Client,
  ],
  [
    'the public package',
    ({ appId, host }) => new PublicClient({ appId, appHost: host, lang: 'en-US' }),
  ],
];
