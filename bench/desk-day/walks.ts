import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import {
  closeCase,
  findByPhone,
  openCase,
  remedy,
  seeItVerified,
  type Caller,
} from '../../e2e/support/support-case-steps.ts';
import { bodyRows, choose, heading } from '../../e2e/support/words.ts';
import { wordsOf } from '../../e2e/support/words-of.ts';
import type { DeskRole } from './desk-users.ts';

export interface Walk {
  readonly page: Page;
  /** Calls, and has a device whose clock is wrong. */
  readonly caller: Caller & { readonly device: { readonly id: string } };
  /** Within the viewer's scope. */
  readonly device: { readonly id: string; readonly serialNumber: string };
}

/** How long a user reads a page. */
const LOOK_MS = 3_000;
const KEY_MS = 120;
const t = wordsOf('en');

/** Opens a page as a link of the portal does. */
async function look(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => history.pushState({}, '', href), path);
  await sleep(LOOK_MS);
  await page.locator('main h1').first().waitFor();
}

/** Types into the search over everything, and opens the first result that contains a text. */
async function search(page: Page, typed: string, result: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox').first();
  await field.waitFor();
  await field.pressSequentially(typed, { delay: KEY_MS });
  await page.getByRole('option', { name: result }).first().click();
  await heading(page, /./).first().waitFor();
  await sleep(LOOK_MS);
}

/** Opens the notifications and closes them again. */
async function readNotifications(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Notifications/ }).first();
  await button.click();
  await sleep(LOOK_MS);
  await button.click();
}

async function openFirstRow(page: Page): Promise<void> {
  await bodyRows(page).getByRole('link').first().click();
  await heading(page, /./).first().waitFor();
  await sleep(LOOK_MS);
}

const lookAtDevice = async (page: Page, id: string, views: readonly string[]): Promise<void> => {
  for (const view of views) await look(page, `/devices/${id}${view && `?tab=${view}`}`);
};

/** What each user does after their sign-in, which opens the home page. */
export const walks: Readonly<Record<DeskRole, (walk: Walk) => Promise<void>>> = {
  viewer: async ({ page, device }) => {
    await readNotifications(page);
    await look(page, '/devices');
    await look(page, '/devices?q=connectivity%3Doffline');
    await look(page, '/devices?q=connectivity%3Donline&sort=name');
    await look(page, '/devices?q=finding%3Dany');
    await look(page, `/devices?q=${device.serialNumber.slice(0, 5)}`);
    await search(page, device.serialNumber, device.serialNumber);
    await lookAtDevice(page, device.id, ['metrics', 'events', 'commands', 'versions', 'location']);
    await look(page, `/devices/${device.id}?tab=metrics&range=7d`);
    await look(page, '/map');
    await look(page, '/alerts');
    await look(page, '/device-metrics');
    await look(page, '/tavs');
    await look(page, '/');
  },
  support: async ({ page, caller }) => {
    await findByPhone(page, caller, t);
    await sleep(LOOK_MS);
    await openCase(page, caller, t);
    await sleep(LOOK_MS);
    await remedy(page, caller, t);
    await seeItVerified(page, caller, 'en', t);
    await sleep(LOOK_MS);
    await lookAtDevice(page, caller.device.id, ['events', 'commands', 'metrics', 'notes']);
    await closeCase(page, caller, 'en', t);
    await look(page, '/cases');
    await look(page, '/cases?show=mine');
    await look(page, '/cases?show=closed');
    await openFirstRow(page);
    await search(page, caller.name, caller.name);
    await look(page, '/people');
    await readNotifications(page);
    await look(page, '/');
  },
  operator: async ({ page, device }) => {
    await look(page, '/devices?q=connectivity%3Doffline');
    await look(page, '/devices?q=finding%3Dany');
    await look(page, '/devices?q=connectivity%3Donline&sort=serialNumber');
    await page.getByRole('button', { name: 'Next page' }).first().click();
    await page.getByText(/^26–/).waitFor();
    await selectPage(page);
    await choose(page, 'Run command on 25 devices', /^storage\/usage/);
    await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: t('commands.result.title') }).waitFor();
    await sleep(4 * LOOK_MS);
    await look(page, '/commands');
    await openFirstRow(page);
    await search(page, device.serialNumber, device.serialNumber);
    await lookAtDevice(page, device.id, ['metrics', 'commands', 'past', 'similar']);
    await look(page, '/map');
    await look(page, '/tavs');
    await look(page, '/air-blast');
    await look(page, '/alerts');
    await look(page, '/alerts?tab=history');
    await readNotifications(page);
    await look(page, '/');
  },
  auditor: async ({ page, device }) => {
    await look(page, '/audit-trail');
    await look(page, '/audit-trail?q=command.requested');
    await look(page, `/audit-trail?device=${device.id}`);
    await look(page, '/audit-trail?t=7d');
    await look(page, `/audit-trail/device?device=${device.id}`);
    await lookAtDevice(page, device.id, ['', 'events', 'past']);
    await look(page, '/api-calls');
    await look(page, '/uam/users');
    await look(page, '/uam/roles');
    await look(page, '/legal-holds');
    await look(page, '/');
  },
  administrator: async ({ page, device }) => {
    await look(page, '/uam/roles');
    await openFirstRow(page);
    await look(page, '/uam/users');
    await openFirstRow(page);
    await look(page, '/people');
    await openFirstRow(page);
    await look(page, '/devices');
    await lookAtDevice(page, device.id, ['', 'instances']);
    await look(page, '/audit-trail');
    await look(page, '/uam/temporary-access');
    await look(page, '/uam/api-tokens');
    await look(page, '/uam/backups');
    await readNotifications(page);
    await look(page, '/');
  },
};

async function selectPage(page: Page): Promise<void> {
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' });
  await all.first().check({ force: true });
  await sleep(LOOK_MS);
}
