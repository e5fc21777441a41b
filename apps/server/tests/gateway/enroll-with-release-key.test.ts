import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trustedKeyOf } from '@deviceportal/command-signing/key-trust';
import type { CreatedClaim } from '@deviceportal/contract/devices';
import { enrollMachine } from '../../../agent/src/run-agent.ts';
import { mutate } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let stateDirectory: string;
beforeAll(async () => {
  portal = await startTestServer();
  stateDirectory = await mkdtemp(join(tmpdir(), 'release-key-'));
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await rm(stateDirectory, { recursive: true, force: true });
});

test('rejects a machine that expects another release key before its claim is used', async () => {
  const token = await portal.signIn('admin');
  const claimFor = async (uses: number): Promise<string> => {
    const answer = await mutate(portal.url, {
      path: 'devices.createClaim',
      input: { uses },
      token,
    });
    return (answer.data as CreatedClaim).token;
  };
  const enroll = (claimToken: string, releaseKey: string | null, serialNumber: string) =>
    enrollMachine(
      { stateDirectory: join(stateDirectory, serialNumber), serialNumber, log: () => {} },
      { serverUrl: portal.url, claimToken, releaseKey },
    );
  const { trust } = await enroll(await claimFor(1), null, 'KEY0001');
  const [key] = trust.releases.keys;
  if (key === undefined) throw new Error('the server announces no release key');
  const claim = await claimFor(1);
  await expect(enroll(claim, 'another-key', 'KEY0002')).rejects.toThrow('does not have the key');
  const { deviceId } = await enroll(claim, trustedKeyOf(key).keyId, 'KEY0002');
  expect(deviceId).toEqual(expect.any(String));
});
