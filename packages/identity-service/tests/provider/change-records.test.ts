import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthenticationClient } from 'authing-js-sdk';
import type { IdentityEvent } from '../../src/identity-event.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { freshName } from './support/both-clients.ts';

let idp: OpenProvider;
let isWritable = true;
const written: IdentityEvent[] = [];
beforeAll(async () => {
  idp = await openProvider(
    { limits: 'off' },
    {
      writeEvent: async (_client, event) => {
        if (!isWritable) throw new Error('the audit trail cannot be written');
        written.push(event);
      },
    },
  );
});
afterAll(() => idp[Symbol.asyncDispose]());

const PASSWORD = 'Records need 1 password';

async function signedIn() {
  const username = freshName();
  await idp.makeUser({ username, password: PASSWORD });
  const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host, lang: 'en-US' });
  await client.loginByUsername(username, PASSWORD);
  return { client, username };
}

it('[idp-records-1] which custom values somebody sets and takes away is on record, never to what', async () => {
  const { client, username } = await signedIn();
  written.length = 0;
  await client.setUdfValue({ shoeSize: 43, motto: 'nobody reads this' });
  await client.removeUdfValue('motto');
  await client.removeUdfValue('motto');
  expect(written.map(({ detail }) => detail)).toEqual([
    'custom values set: shoeSize, motto',
    'custom value removed: motto',
  ]);
  expect(written[0]).toMatchObject({ kind: 'accountChanged', username });
  expect(JSON.stringify(written)).not.toContain('nobody reads this');
});

it('[idp-records-2] what cannot be put on record does not happen', async () => {
  const { client } = await signedIn();
  await client.setUdfValue({ colour: 'green' });
  isWritable = false;
  try {
    await expect(client.setUdfValue({ colour: 'red' })).rejects.toBeDefined();
    await expect(client.removeUdfValue('colour')).rejects.toBeDefined();
  } finally {
    isWritable = true;
  }
  expect(await client.getUdfValue()).toMatchObject({ colour: 'green' });
});

it('[idp-records-3] values that are set at once keep within the limit together', async () => {
  const { client } = await signedIn();
  const batch = (start: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key${start + index}`, index]));
  const results = await Promise.allSettled([
    client.setUdfValue(batch(0)),
    client.setUdfValue(batch(100)),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(Object.keys(await client.getUdfValue())).toHaveLength(60);
});
