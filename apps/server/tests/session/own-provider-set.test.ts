import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer([], { DEVICEPORTAL_PROVIDER_SET: 'authing' });
});
afterAll(() => server[Symbol.asyncDispose]());

test('[own-provider-1] one setting makes the provider at /idp the one that people sign in at', async () => {
  const config = (await (await fetch(`${server.url}/api/config`)).json()) as BrowserConfig;
  expect(config).toMatchObject({
    providerSet: 'authing',
    authing: { appId: 'deviceportal', host: '/idp' },
    userPoolId: '',
    identityPoolEndpoint: '/identity',
    livePath: '/mqtt',
    outboxUrl: '/outbox',
  });
});

test('[own-provider-2] the embedded user pool signs nobody in then', async () => {
  const reply = await fetch(`${server.url}/identity`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      AuthFlow: 'CUSTOM_AUTH',
      ClientId: 'deviceportalweb',
      AuthParameters: { USERNAME: 'admin@deviceportal.local' },
    }),
  });
  expect(reply.status).toBe(400);
});
