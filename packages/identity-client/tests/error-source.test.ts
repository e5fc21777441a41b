import { expect, test } from 'vitest';
import {
  checkLoginStatus,
  createIdentityClient,
  createMemoryStorage,
  sendSmsCode,
} from '../src/index.ts';

const failure = (answer: () => Promise<Response>) =>
  sendSmsCode(
    createIdentityClient({
      appId: 'app-1',
      appHost: 'https://people.example',
      storage: createMemoryStorage(),
      fetch: answer,
    }),
    { phone: '13800000000' },
  );

test.each([
  ['a refusal', async () => Response.json({ code: 2206, message: 'no' }), 'provider', 2206],
  ['a refusal whose number is 500', async () => Response.json({ code: 500 }), 'provider', 500],
  ['a failing server', async () => Response.json({ code: 2206 }, { status: 500 }), 'http', 500],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'network', 500],
  ['an answer that is none', async () => Response.json({}), 'local', 'MALFORMED_REPLY'],
] as const)('%s says where it came from', async (_what, answer, source, code) => {
  await expect(failure(answer)).rejects.toMatchObject({ name: 'IdentityError', source, code });
});

test('an error without a request has the source local', async () => {
  const client = createIdentityClient({ appId: 'app-1', storage: createMemoryStorage() });
  await expect(checkLoginStatus(client)).rejects.toMatchObject({ source: 'local' });
});
