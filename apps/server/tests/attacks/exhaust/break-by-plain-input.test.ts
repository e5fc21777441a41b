import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { mutate, query } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let admin: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await portal.signIn('admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const codeOf = async (path: string, input: unknown): Promise<number | undefined> =>
  (await query(portal.url, { path, input, token: admin })).code;

test.each([2 ** 31, Number.MAX_SAFE_INTEGER])(
  'a version number of %i cannot make the server fail',
  async (version) => {
    const input = { name: 'restart-device', version };
    expect(await codeOf('documents.getVersion', input)).toBe(2004);

    expect(await codeOf('explanations.explain', { kind: 'document-version', ...input })).toBe(2004);
    expect(await codeOf('apiCalls.list', { errorCode: version })).toBe(2004);
  },
);

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59'])(
  'the time %s cannot make the server fail',
  async (at) => {
    expect(await codeOf('apiCalls.list', { range: { from: at } })).toBe(2004);
    expect(await codeOf('auditTrail.list', { filter: { range: { to: at } } })).toBe(2004);
    expect(await codeOf('deviceHistory.get', { deviceId: newId(), at })).toBe(2004);
  },
);

test('an input cannot make the server construct a type chosen by the caller', async () => {
  const input = {
    json: { name: 1e9 },
    meta: { values: { name: [['typed-array', 'Uint8Array']] } },
  };
  const reply = await fetch(
    `${portal.url}/api/trpc/documents.getVersion?input=${encodeURIComponent(JSON.stringify(input))}`,
    { headers: { authorization: `Bearer ${admin}` } },
  );
  expect(reply.status).toBe(400);
});

test('an empty list of devices is rejected as a command without a device (4001)', async () => {
  const input = {
    command: 'network/ping',
    target: { kind: 'devices', deviceIds: [] },
    idempotencyKey: randomUUID(),
  };
  for (const target of [input.target, null]) {
    const call = { path: 'commands.run', input: { ...input, target }, token: admin };
    expect((await mutate(portal.url, call)).code).toBe(4001);
  }
  expect(await codeOf('commands.previewTarget', input)).not.toBe(-1);
});
