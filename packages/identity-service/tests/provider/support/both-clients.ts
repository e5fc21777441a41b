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

let counter = 0;

/** A name that nobody has yet. */
export function freshName(): string {
  counter += 1;
  return `person${counter}${Math.random().toString(36).slice(2, 8)}`;
}

/** A mainland number that nobody has yet, without its country. */
export function freshPhone(): string {
  counter += 1;
  return `138${String(10_000_000 + counter)}`;
}
