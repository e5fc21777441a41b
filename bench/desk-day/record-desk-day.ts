/**
 * Records what users do on a day, with a real browser and a small fleet, in `desk-day.json`:
 * `node bench/desk-day/record-desk-day.ts`, or some of them: `node bench/desk-day/record-desk-day.ts viewer auditor`.
 */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { builtinRoles, everywhere } from '@deviceportal/contract/permissions';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { launchBrowser } from '../../e2e/support/browser.ts';
import { takeCustomer } from '../../e2e/support/customer.ts';
import { readFleet } from '../../e2e/support/fleet.ts';
import { PortalClient } from '../../e2e/support/portal-client.ts';
import { startPortalProcess } from '../support/portal-process.ts';
import { printDeskDay, readDeskDay, recordingPath, type DeskDevice } from './desk-day.ts';
import { deskRoles, type DeskRole } from './desk-users.ts';
import { describeSteps } from './describe-steps.ts';
import { recordCalls } from './record-calls.ts';
import { walks, type Walk } from './walks.ts';

const FLEET = '80';
const OPERATED_ON = 55;
const LOOK_MS = 1_000;
const PAGE_LIMIT_MS = 30_000;

interface RecordedDevice {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly name: string;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: { readonly id: string; readonly name: string } | null;
}

interface Recording {
  readonly role: DeskRole;
  readonly devices: readonly DeskDevice[];
  readonly walk: Omit<Walk, 'page'>;
}

async function recordRole(browser: Browser, url: string, { role, devices, walk }: Recording) {
  const page = await browser.newPage({
    ...{ baseURL: url, locale: 'en', viewport: { width: 1440, height: 900 } },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(PAGE_LIMIT_MS);
  const recorder = recordCalls(page);
  try {
    await signIn(page, url, identifierOf(role));
    await walks[role]({ ...walk, page });
    return describeSteps(await recorder.end(), ownFirst(devices, role, walk));
  } catch (error) {
    await page.screenshot({ path: join(tmpdir(), `desk-day-${role}.png`) }).catch(() => {});
    throw error;
  } finally {
    await page.close().catch(() => {});
  }
}

/** What is typed into a search is the beginning of several serial numbers and names. */
function ownFirst(
  devices: readonly DeskDevice[],
  role: DeskRole,
  { caller, device }: Omit<Walk, 'page'>,
): readonly DeskDevice[] {
  const { id: ownId } = role === 'support' ? caller.device : device;
  return devices.toSorted((one, other) => Number(other.id === ownId) - Number(one.id === ownId));
}

const identifierOf = (role: DeskRole): string => `recorded-${role}@deviceportal.local`;

async function signIn(page: Page, url: string, identifier: string): Promise<void> {
  await page.goto('/signin?next=%2F');
  await page.locator('input[autocomplete^="username"]').fill(identifier);
  await page.keyboard.press('Enter');
  const code = page.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(identifier)}`);
  const [newest] = (await reply.json()) as { code: string }[];
  await code.fill(newest?.code ?? '');
  await page.locator('#top-bar').waitFor();
}

/** Each has the role of their name; the viewer has the country and one label of a device. */
async function inviteUsers(
  admin: PortalClient,
  { country, labels }: RecordedDevice,
): Promise<void> {
  const [label = ['', '']] = Object.entries(labels);
  const { permissions = [] } = builtinRoles.find(({ name }) => name === 'Viewer') ?? {};
  const scope = { ...everywhere, countries: [country ?? ''], labels: Object.fromEntries([label]) };
  const viewer = await admin.order<{ id: string }>('access.roles.create', {
    ...{ name: 'Recorded viewer', permissions, scope },
  });
  const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  for (const role of deskRoles) {
    const own = roles.find(({ name }) => name.toLowerCase() === role);
    const roleIds = [role === 'viewer' ? viewer.id : own?.id];
    await admin.order('access.users.invite', { identifier: identifierOf(role), roleIds });
  }
}

async function describeDevices(admin: PortalClient): Promise<[RecordedDevice[], DeskDevice[]]> {
  const { rows } = await admin.ask<{ rows: RecordedDevice[] }>('devices.list', { pageSize: 100 });
  const described = rows.map(async ({ id, serialNumber, name, model, owner }) => {
    const person =
      owner && (await admin.ask<{ phone: string | null }>('people.get', { id: owner.id }));
    return {
      ...{ id, serialNumber: serialNumber ?? id, name, model: model ?? '' },
      ...{ ownerId: owner?.id ?? '', ownerName: owner?.name ?? '' },
      ownerPhone: person?.phone ?? '',
    };
  });
  return [rows, await Promise.all(described)];
}

/** A device with a country and labels. */
async function findPlaced(admin: PortalClient, rows: readonly { id: string }[]) {
  for (const { id } of rows) {
    const device = await admin.ask<RecordedDevice>('devices.get', { device: id });
    if (device.country && Object.keys(device.labels).length > 0) return device;
  }
  throw new Error('no device has a country and labels');
}

/** The operator selects the second page of them. */
async function untilConnected(admin: PortalClient): Promise<void> {
  const filter = { tokens: [{ key: 'connectivity', operator: '=', values: ['online'] }] };
  for (;;) {
    const { count } = await admin.ask<{ count: number }>('devices.count', { filter });
    if (count > OPERATED_ON) return;
    await sleep(LOOK_MS);
  }
}

async function record(
  url: string,
  roles: readonly DeskRole[],
  resources: AsyncDisposableStack,
): Promise<void> {
  const admin = await PortalClient.signIn('admin', url);
  await untilConnected(admin);
  const fleet = await readFleet(admin);
  const caller = await takeCustomer(admin, fleet.takeWell);
  await admin.order('commands.run', {
    command: 'shell',
    target: { kind: 'devices', deviceIds: [caller.device.id] },
    parameters: { script: "date -s '+40 minutes'" },
    idempotencyKey: randomUUID(),
  });
  const [rows, devices] = await describeDevices(admin);
  const placed = await findPlaced(admin, rows);
  await inviteUsers(admin, placed);
  const device = { id: placed.id, serialNumber: placed.serialNumber ?? '' };
  const browser = await launchBrowser();
  resources.defer(() => browser.close());
  const day = { ...(await readDeskDay().catch(() => ({}))) } as Record<DeskRole, unknown>;
  for (const role of roles) {
    day[role] = await recordRole(browser, url, { role, devices, walk: { caller, device } });
    await writeFile(recordingPath, printDeskDay(day as never));
    console.log(`recorded the ${role}`);
  }
}

/** Rejects when the recorder is asked to end, so that it ends its portal and its browser first. */
const untilEnded = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const ended = untilEnded();
  ended.catch(() => {});
  await using resources = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-desk-day-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const portal = resources.use(
    await startPortalProcess({
      ...{ dataDir, port, mqttPort, args: ['--fleet', FLEET] },
      env: { DEVICEPORTAL_AGENT_RHYTHM: 'off', DEVICEPORTAL_METRICS_SEND_SECONDS: '60' },
    }),
  );
  const roles = deskRoles.filter((role) => wanted.length === 0 || wanted.includes(role));
  await Promise.race([record(portal.url, roles, resources), ended]);
}

await main();
