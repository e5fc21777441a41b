import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let support: AccessFixture;
let auditor: AccessFixture;
beforeAll(async () => {
  portal = await startTestServer();
  support = await AccessFixture.open(portal, 'support');
  auditor = await AccessFixture.open(portal, 'auditor');
});
afterAll(() => portal[Symbol.asyncDispose]());

const told = async (type: string) =>
  (await auditor.trail(type)).map(({ actor, data }) => ({ by: actor.name, ...data })).toReversed();
const by = 'support@deviceportal.local';

test('records changed preferences with their previous values, and unchanged ones not at all', async () => {
  const save = (preferences: object) => support.done('session.savePreferences', preferences);
  const table = { columns: ['name'], pageSize: 50 };
  await save({ language: 'en', theme: 'dark', navigationOpen: true, tables: { devices: table } });
  // The browser always sends all settings.
  await save({ language: 'zh-CN', theme: 'dark', tables: { devices: table } });
  await save({ language: 'zh-CN', theme: 'dark', navigationOpen: false });
  expect(await told('settings.preferences-changed')).toEqual([
    {
      by,
      before: { language: null, theme: null, tables: null },
      after: { language: 'en', theme: 'dark', tables: { devices: table } },
    },
    { by, before: { language: 'en' }, after: { language: 'zh-CN' } },
  ]);
  expect((await support.session()).preferences).toMatchObject({
    language: 'zh-CN',
    navigationOpen: false,
  });
});

test('records a change of notification preferences once, also when two changes arrive at the same time', async () => {
  const setting = { kind: 'run-ended', portal: true, message: true };
  await Promise.all([
    support.done('notifications.saveSetting', setting),
    support.done('notifications.saveSetting', setting),
  ]);
  expect(await told('settings.notification-changed')).toEqual([
    {
      by,
      kind: 'run-ended',
      before: { portal: true, message: false },
      after: { portal: true, message: true },
    },
  ]);
});
