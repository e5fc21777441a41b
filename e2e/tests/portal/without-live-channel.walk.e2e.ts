import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ANSWER_MS,
  notice,
  openCutBrowser,
  passInterval,
  type CutBrowser,
} from '../../support/cut-browser.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';

/** A screen, a change by another user, and how the screen must show it. */
interface Followed {
  readonly name: string;
  readonly path: () => string | Promise<string>;
  readonly change: (page: Page) => Promise<unknown>;
  readonly sees: (page: Page) => Locator;
}

let browser: CutBrowser;
let admin: PortalClient;
let viewer: PortalClient;
let support: PortalClient;
let fleet: Fleet;

/** The unique text by which each change is found. */
const mark = `silent-${randomUUID().slice(0, 8)}`;
const main = (page: Page): Locator => page.getByRole('main');
const shows =
  (words: string | RegExp) =>
  (page: Page): Locator =>
    main(page).getByText(words).first();
const linksTo =
  (id: () => string) =>
  (page: Page): Locator =>
    main(page).locator(`a[href*="${id()}"]`).first();

/** The invocation or run of the last command. */
let lookedAt = '';
const lookOn = async (deviceIds: readonly string[]): Promise<string> => {
  const run = await admin.order<{ id: string; invocationId: string | null }>('commands.run', {
    command: 'storage/usage',
    target: { kind: 'devices', deviceIds },
    parameters: { path: '/tmp' },
    whenLocked: 'queue',
    idempotencyKey: randomUUID(),
  });
  lookedAt = run.invocationId ?? run.id;
  return run.id;
};
const sleepOn = async (deviceIds: readonly string[]): Promise<string> => {
  const target = { kind: 'devices', deviceIds };
  const shown = await admin.ask<{ sha256: string; count: number }>('commands.previewTarget', {
    ...{ command: 'shell', document: '', target },
  });
  const run = await admin.order<{ id: string }>('commands.run', {
    command: 'shell',
    target,
    ...(deviceIds.length > 1 ? { targetSha256: shown.sha256, targetCount: shown.count } : {}),
    parameters: { script: 'sleep 100' },
    idempotencyKey: randomUUID(),
  });
  return run.id;
};
const note = (deviceId: string, text = mark): Promise<unknown> =>
  admin.order('devices.addNote', { deviceId, text });
const invite = async (identifier: string): Promise<string> =>
  (await admin.order<{ id: string }>('access.users.invite', { identifier, roleIds: [] })).id;
const ofDevice = (
  tab: string,
  change: (deviceId: string) => Promise<unknown>,
  sees: Followed['sees'],
): Followed => {
  let id = '';
  return {
    name: `device page: ${tab}`,
    path() {
      id = fleet.takeOnline().id;
      return `/devices/${id}?tab=${tab}`;
    },
    change: () => change(id),
    sees,
  };
};

let made = '';
const document = {
  name: `Silent-${mark}`,
  consequence: 'reads',
  content: JSON.stringify({
    schemaVersion: '2.2',
    mainSteps: [{ name: 'look', action: 'aws:runShellScript', inputs: { runCommand: ['true'] } }],
  }),
};
const plan = async (name: string): Promise<string> => {
  const { id } = await admin.order<{ id: string }>('airBlast.plan', {
    name,
    change: { kind: 'document', document: 'DevicePortal-storage-usage' },
    target: { kind: 'devices', deviceIds: [fleet.takeOnline().id] },
    idempotencyKey: randomUUID(),
  });
  return id;
};
const openCase = async (about: string): Promise<string> => {
  const { id } = await admin.order<{ id: string }>('cases.open', {
    ...{ personId: fleet.owned.owner.id, about },
  });
  return id;
};

const askForRole = async (person: PortalClient): Promise<void> => {
  const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  const roleId = roles.find(({ name }) => name === 'Operator')?.id;
  await person.order('access.accessGrants.ask', { roleId, reason: mark, minutes: 60 });
};

const screens: readonly Followed[] = [
  {
    name: 'home',
    path: () => '/',
    change: () => lookOn([fleet.takeOnline().id]).then((id) => (made = id)),
    sees: (page) => main(page).locator('a[href*="invocation="]').first(),
  },
  {
    name: 'device list',
    path: () => '/devices',
    async change(page) {
      const href = await main(page)
        .locator('table tbody a[href^="/devices/"]')
        .first()
        .getAttribute('href');
      await admin.order('devices.update', { id: href?.split('/')[2], name: `${mark} list` });
    },
    sees: shows(`${mark} list`),
  },
  ofDevice('overview', (id) => note(id), shows('Note added')),
  ofDevice('events', (id) => note(id), shows('Note added')),
  ofDevice('commands', (id) => lookOn([id]), shows('storage/usage')),
  ofDevice('notes', (id) => note(id, `${mark} note`), shows(`${mark} note`)),
  ofDevice(
    'raw',
    (id) => admin.order('devices.update', { id, name: `${mark} raw` }),
    shows(`${mark} raw`),
  ),
  {
    name: 'runs list',
    path: () => {
      lookedAt = randomUUID();
      made = lookedAt;
      return '/commands';
    },
    change: async () => {
      made = await lookOn([fleet.takeOnline().id]);
    },
    sees: (page) =>
      linksTo(() => made)(page)
        .or(linksTo(() => lookedAt)(page))
        .first(),
  },
  {
    name: 'run on many devices',
    path: async () => {
      made = await sleepOn([fleet.takeOnline().id, fleet.takeOnline().id]);
      return `/commands/shell?run=${made}`;
    },
    change: () => admin.order('commands.cancelRun', { id: made }),
    sees: shows(/Cancell?ed|Cancell?ing/),
  },
  {
    name: 'result on one device',
    async path() {
      const { id } = fleet.takeOnline();
      made = await sleepOn([id]);
      const { rows } = await admin.ask<{ rows: { id: string }[] }>('commands.listInvocations', {
        runId: made,
      });
      return `/commands/shell?device=${id}&invocation=${rows[0]?.id}`;
    },
    change: () => admin.order('commands.cancelRun', { id: made }),
    sees: shows(/Cancell?ed|Cancell?ing/),
  },
  {
    name: 'schedules',
    path: () => '/commands',
    change: () =>
      admin.order('schedules.create', {
        id: randomUUID(),
        name: `${mark} schedule`,
        command: 'storage/usage',
        target: { kind: 'devices', deviceIds: [fleet.real.id] },
        parameters: { path: '/tmp' },
        times: { kind: 'cron', cron: '0 3 * * *', timeZone: 'UTC' },
      }),
    sees: shows(`${mark} schedule`),
  },
  {
    name: 'AirBlast list',
    path: () => '/air-blast',
    change: () => plan(`${mark} blast`),
    sees: shows(`${mark} blast`),
  },
  {
    name: 'AirBlast page',
    path: async () => `/air-blast/${(made = await plan(`${mark} page`))}`,
    change: async () => {
      await admin.order('airBlast.assumeRole', { id: made });
      await admin.order('airBlast.abort', { id: made, reason: '' });
    },
    sees: shows(/Aborted/),
  },
  {
    name: 'documents',
    path: () => '/documents',
    change: () => admin.order('documents.create', document),
    sees: shows(document.name),
  },
  {
    name: 'document',
    path: () => `/documents/${document.name}?tab=versions`,
    change: () => admin.order('documents.sendForReview', { name: document.name, version: 1 }),
    sees: shows(/In review/),
  },
  {
    name: 'cases',
    path: () => '/cases',
    change: () => openCase(`${mark} case`).then((id) => (made = id)),
    sees: linksTo(() => made),
  },
  {
    name: 'case',
    path: () => `/cases/${made}`,
    change: () => admin.order('cases.addNote', { id: made, text: `${mark} in the case` }),
    sees: shows(`${mark} in the case`),
  },
  {
    name: 'bar of the active case',
    path: () => '/devices',
    change: () => admin.order('cases.close', { id: made, outcome: 'resolved', text: '' }),
    sees: (page) => page.locator('body:not(:has([aria-label="Active case"]))'),
  },
  {
    name: 'access requests',
    path: () => '/uam/temporary-access',
    change: () => askForRole(viewer),
    sees: shows(mark),
  },
  {
    name: 'roles',
    path: () => '/uam/roles',
    change: () =>
      admin.order('access.roles.create', {
        name: `${mark} role`,
        permissions: ['devices:read'],
        scope: { countries: [], models: [], labels: {} },
      }),
    sees: shows(`${mark} role`),
  },
  {
    name: 'users',
    path: () => `/uam/users?q=${mark}`,
    change: () => invite(`${mark}@example.com`).then((id) => (made = id)),
    sees: linksTo(() => made),
  },
  {
    name: 'user',
    path: () => `/uam/users/${made}`,
    async change() {
      const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
      const add = roles.filter(({ name }) => name === `${mark} role`).map(({ id }) => id);
      await admin.order('access.users.changeRoles', { id: made, add, remove: [] });
    },
    sees: shows(`${mark} role`),
  },
  {
    name: 'versions of a component',
    path: () => '/tavs?component=firmware&tab=software',
    change: () =>
      admin.order('versions.register', { component: 'firmware', version: `9.9.9-${mark}` }),
    sees: shows(`9.9.9-${mark}`),
  },
  {
    name: 'audit trail, live',
    path: () => '/audit-trail/device?live=1',
    change: () => note(fleet.real.id),
    sees: shows(/1 new event|Note added/),
  },
  {
    name: 'reports',
    path: () => '/reports/user-report',
    change: () =>
      admin
        .order<{ reportId: string }>('reports.request', { personId: fleet.owned.owner.id })
        .then(({ reportId }) => (made = reportId)),
    sees: linksTo(() => made),
  },
  {
    name: 'departments of the provider',
    path: () => '/uam/provider?tab=departments',
    change: () =>
      admin.order('provider.departments.create', {
        name: `${mark} department`,
        parentId: null,
        description: '',
      }),
    sees: shows(`${mark} department`),
  },
];

/** Screens whose data only devices change, so the test checks that they poll. */
const asking: readonly (readonly [string, () => string, string])[] = [
  [
    'device page: versions',
    () => `/devices/${fleet.real.id}?tab=versions`,
    'versions.deviceHistory',
  ],
  [
    'device page: location',
    () => `/devices/${fleet.real.id}?tab=location`,
    'locations.deviceTrack',
  ],
  [
    'device page: similar devices',
    () => `/devices/${fleet.real.id}?tab=similar`,
    'similarDevices.compare',
  ],
  ['map', () => '/map', 'locations.cells'],
  ['component', () => '/tavs?component=firmware', 'versions.list'],
];

beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  viewer = await PortalClient.signIn('viewer');
  support = await PortalClient.signIn('support');
  fleet = await readFleet(admin);
  browser = await openCutBrowser('admin');
  browser.proxy.cut();
});
afterAll(() => browser[Symbol.asyncDispose]());

describe('without the live channel', () => {
  test.each(screens)('$name stays up to date', async ({ path, change, sees }) => {
    const page = await browser.open(await path());
    await expect.poll(() => sees(page).count()).toBe(0);
    await change(page);
    await passInterval(page);
    await sees(page).waitFor({ timeout: ANSWER_MS });
    // Shown ten seconds after the loss, and checked every ten seconds.
    await notice(page).waitFor({ timeout: 30_000 });
    await page.close();
  });

  test.each(asking)('%s polls', async (_name, path, procedure) => {
    const page = await browser.open(path());
    const asked = page.waitForRequest((request) => request.url().includes(procedure), {
      timeout: ANSWER_MS,
    });
    await passInterval(page);
    await asked;
    await page.close();
  });

  test('the bell counts new notifications', async () => {
    const page = await browser.open('/documents');
    const bell = page.getByRole('button', { name: /^Notifications/ }).first();
    // The first request is sent shortly after the page.
    const counted = page.waitForResponse((reply) => reply.url().includes('countUnread'));
    await page.clock.fastForward(3_500);
    await counted;
    const before = await bell.getAttribute('aria-label');
    await askForRole(support);
    // Unread notifications are counted every minute.
    await passInterval(page);
    await passInterval(page);
    await passInterval(page);
    await expect
      .poll(() => bell.getAttribute('aria-label'), { timeout: ANSWER_MS })
      .not.toBe(before);
    await page.close();
  });
});
