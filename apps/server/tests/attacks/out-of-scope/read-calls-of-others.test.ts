import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ApiCall, ApiCallHistory } from '@deviceportal/contract/api-calls';
import type { Page } from '@deviceportal/contract/pages';
import { everywhere } from '@deviceportal/contract/permissions';
import { maskInput } from '../../../src/api-calls/mask-input.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let scoped: AccessFixture;
let own: string;

beforeAll(async () => {
  portal = await startTestServer();
  const admin = await AccessFixture.open(portal, 'admin');
  const germany = { ...everywhere, countries: ['DE'] };
  await admin.createRole('German auditor', ['api-calls:read', 'devices:read'], germany);
  await admin.invite('german@example.com', 'German auditor');
  scoped = await AccessFixture.open(portal, 'german@example.com');
  own = (await scoped.session()).userId;
  await admin.ask('devices.list', {});
  const seen = () => admin.read<Page<ApiCall>>('apiCalls.list', { path: 'devices.list' });
  await vi.waitUntil(async () => (await seen()).rows.length > 0, 10_000);
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a permission limited to a country shows no calls of other users', async () => {
  const { rows } = await scoped.read<Page<ApiCall>>('apiCalls.list', {});
  expect(rows.filter(({ userId }) => userId !== own)).toEqual([]);
});

test('a permission limited to a country does not count calls of other users', async () => {
  const path = 'devices.list';
  const { steps } = await scoped.read<ApiCallHistory>('apiCalls.history', { path });
  expect(steps.reduce((sum, { calls }) => sum + calls, 0)).toBe(0);
  const summary = await scoped.read<readonly { path: string }[]>('apiCalls.summary', {});
  expect(summary.map((each) => each.path)).not.toContain(path);
});

test.each([
  [{ name: 'Ana Berg', latitude: 52.5 }, '{"name":"•••","latitude":"•••"}'],
  [{ newField: 'secret of tomorrow' }, '{"newField":"•••"}'],
  [{ deviceId: 'ana@example.com' }, '{"deviceId":"•••"}'],
  [{ kind: 'said by Ana Berg' }, '{"kind":"•••"}'],
  [
    { filter: { tokens: [{ property: 'owner', operator: '=', value: 'Ana Berg' }] } },
    '{"filter":{"tokens":[{"property":"owner","operator":"•••","value":"•••"}]}}',
  ],
  [{ parameters: { password: 'x', host: 'h' } }, '{"parameters":"•••"}'],
  ['Ana Berg', '"•••"'],
  [{ 'Ana Berg': 1 }, '{}'],
])('the log of calls stores of %j only fields on the list', (input, kept) => {
  expect(maskInput(input)).toBe(kept);
});
