import { Amplify, ConsoleLogger } from '@aws-amplify/core';
import { signIn } from '@aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import { afterEach, expect, it, vi } from 'vitest';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { userPoolOf } from '../user-pool-of.ts';

afterEach(() => vi.unstubAllGlobals());

const hosted = {
  userPoolId: 'eu-west-1_AbC123',
  userPoolClientId: 'client',
  userPoolEndpoint: null,
} as BrowserConfig;

/** Uses the real library and replaces only the network. */
async function addressAsked(config: BrowserConfig): Promise<string> {
  const addresses: string[] = [];
  vi.stubGlobal('fetch', async (url: string | URL) => {
    addresses.push(String(url));
    return Response.json({ __type: 'UserNotFoundException', message: 'no' }, { status: 400 });
  });
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const Cognito = userPoolOf(config, 'https://portal.example');
  cognitoUserPoolsTokenProvider.setAuthConfig({ Cognito });
  Amplify.configure(
    { Auth: { Cognito } },
    { Auth: { tokenProvider: cognitoUserPoolsTokenProvider } },
  );
  await signIn({ username: 'ana', options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } }).catch(
    () => undefined,
  );
  return addresses[0] ?? '';
}

it('a pool ID and client ID are sufficient, and requests go to the region of the pool', async () => {
  expect(await addressAsked(hosted)).toBe('https://cognito-idp.eu-west-1.amazonaws.com/');
});

it.each([
  ['a path of this portal', '/identity', 'https://portal.example/identity'],
  ['an address of its own', 'https://pool.example/x', 'https://pool.example/x'],
])('a configured endpoint is used unchanged: %s', async (_what, endpoint, address) => {
  expect(await addressAsked({ ...hosted, userPoolEndpoint: endpoint })).toBe(address);
});
