import { randomUUID } from 'node:crypto';
import { beforeAll, test } from 'vitest';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openStage } from '../support/stage.ts';
import { openWithoutLiveChannel, passTime } from '../support/without-live-channel.ts';

/** Longer than lists and details are left alone without the live channel. */
const LIST_SECONDS = 35;
/** The same for numbers over many devices. */
const FIGURES_SECONDS = 65;

const stage = openStage();
let admin: PortalClient;
let fleet: Fleet;
let caseId: string;
let roleId: string;
let userId: string;
let documentName: string;

beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
  const order = (path: string, input: unknown) => admin.order<{ id: string }>(path, input);
  caseId = (await order('cases.open', { personId: fleet.owned.owner.id })).id;
  roleId = (await createRole(`Followed ${Date.now()}`)).id;
  userId = (await order('access.users.invite', { identifier: address(), roleIds: [roleId] })).id;
  documentName = `Followed-${Date.now()}`;
  await createDocument(documentName);
});

interface Screen {
  readonly path: () => string;
  /** Changes what the screen shows, behind it; answers a text, or an id in a link, that it then shows. */
  readonly change: () => Promise<string>;
  readonly seconds?: number;
}

const address = (): string => `followed-${randomUUID().slice(0, 8)}@example.com`;
const createRole = (name: string) =>
  admin.order<{ id: string }>('access.roles.create', {
    name,
    permissions: ['devices:read'],
    scope: {},
  });
const createDocument = (name: string) =>
  admin.order('documents.create', {
    name,
    consequence: 'changes',
    content: JSON.stringify({
      schemaVersion: '2.2',
      mainSteps: [{ action: 'aws:runShellScript', name: 'look', inputs: { runCommand: ['true'] } }],
    }),
  });
const addDeviceNote = async (): Promise<string> => {
  const text = `Seen ${randomUUID()}`;
  await admin.order('devices.addNote', { deviceId: fleet.owned.id, text });
  return text;
};
const renameDevice = async (): Promise<string> => {
  const name = `Kiosk ${randomUUID().slice(0, 8)}`;
  await admin.order('devices.update', { id: fleet.owned.id, name });
  return name;
};
const runCommand = async (): Promise<string> => {
  const { invocationId } = await admin.order<{ invocationId: string }>('commands.run', {
    command: 'storage/usage',
    target: { kind: 'devices', deviceIds: [fleet.owned.id] },
    parameters: {},
    whenBusy: 'queue',
    idempotencyKey: randomUUID(),
  });
  return invocationId;
};

const screens: Readonly<Record<string, Screen>> = {
  'the list of devices': {
    path: () => `/devices?q=${fleet.owned.serialNumber}`,
    change: renameDevice,
  },
  'the events of a device': {
    path: () => `/devices/${fleet.owned.id}?tab=events`,
    change: async () => {
      await addDeviceNote();
      return 'Note added';
    },
  },
  'the notes of a device': {
    path: () => `/devices/${fleet.owned.id}?tab=notes`,
    change: addDeviceNote,
  },
  'the documents': {
    path: () => '/documents?sort=updatedAt&desc=true',
    change: async () => {
      const name = `Followed-${randomUUID().slice(0, 8)}`;
      await createDocument(name);
      return name;
    },
  },
  'the versions of a document': {
    path: () => `/documents/${documentName}?tab=versions`,
    change: async () => {
      await admin.order('documents.sendForReview', { name: documentName, version: 1 });
      return 'In review';
    },
  },
  'the cases': {
    path: () => '/cases',
    change: async () => {
      const ticket = `T-${randomUUID().slice(0, 8)}`;
      const other = fleet.devices.find(
        ({ owner }) => owner !== null && owner.id !== fleet.owned.owner.id,
      );
      await admin.order('cases.open', { personId: other?.owner?.id, ticket });
      return ticket;
    },
  },
  'a case': {
    path: () => `/cases/${caseId}`,
    change: async () => {
      const text = `Called back ${randomUUID().slice(0, 8)}`;
      await admin.order('cases.addNote', { id: caseId, text });
      return text;
    },
  },
  'the roles': {
    path: () => '/uam/roles',
    change: async () => {
      const name = `Followed ${randomUUID().slice(0, 8)}`;
      await createRole(name);
      return name;
    },
  },
  'the users': {
    path: () => '/uam/users',
    change: async () => {
      const identifier = address();
      await admin.order('access.users.invite', { identifier, roleIds: [roleId] });
      return identifier;
    },
  },
  'a user': {
    path: () => `/uam/users/${userId}`,
    change: async () => {
      await admin.order('access.users.changeStatus', { id: userId, act: 'suspend' });
      return 'Suspended';
    },
  },
  'the rollouts': {
    path: () => '/air-blast',
    change: async () => {
      const name = `Followed ${randomUUID().slice(0, 8)}`;
      await admin.order('airBlast.plan', {
        name,
        change: { kind: 'document', document: 'DevicePortal-storage-usage' },
        target: { kind: 'devices', deviceIds: [fleet.owned.id] },
        idempotencyKey: randomUUID(),
      });
      return name;
    },
  },
  'the versions of software': {
    path: () => '/tavs?tab=software&component=followed',
    change: async () => {
      const version = `1.0.${Date.now() % 1_000_000}`;
      await admin.order('versions.register', { component: 'followed', version });
      return version;
    },
  },
  'the audit trail': {
    path: () => `/audit-trail/device?device=${fleet.owned.serialNumber}`,
    change: async () => {
      await admin.order('devices.update', { id: fleet.owned.id, timeZone: 'Europe/Oslo' });
      await addDeviceNote();
      return 'Note added';
    },
  },
  'the runs': { path: () => '/commands', change: runCommand },
  'the figures of home': {
    path: () => '/',
    change: async () => {
      await runCommand();
      return 'storage/usage';
    },
    seconds: FIGURES_SECONDS,
  },
  'the roles of the identity provider': {
    path: () => '/uam/provider?tab=roles',
    change: async () => {
      const code = `followed-${randomUUID().slice(0, 8)}`;
      await admin.order('provider.roles.create', { code, description: '' });
      return code;
    },
  },
};

test.each(Object.entries(screens))(
  'without the live channel, %s follow what happens behind them',
  async (_name, { path, change, seconds = LIST_SECONDS }) => {
    const page = await openWithoutLiveChannel(stage, path());
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const shown = await change();
    await passTime(page, seconds);
    const main = page.locator('main');
    await main
      .getByText(shown)
      .or(main.locator(`a[href*="${shown}"]`))
      .filter({ visible: true })
      .first()
      .waitFor();
  },
);
