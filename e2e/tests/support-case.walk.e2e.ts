import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { statusDetails, caseOutcome } from '@deviceportal/contract/states';
import { signInNewUser } from '../support/sign-in-new-user.ts';
import { takeCustomer, type Customer } from '../support/customer.ts';
import { readFleet, type Fleet } from '../support/fleet.ts';
import type { Look } from '../support/looks.ts';
import { DEVICE_TIMEOUT_MS } from '../support/timeouts.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { heading } from '../support/words.ts';
import { wordsOf, type Words } from '../support/words-of.ts';

/** A sign-in, nine screens, a finding that appears and is resolved, and a report. */
const STORY_LIMIT_MS = 240_000;
const LANGUAGE_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const;
const inChinese: Look = { theme: 'dark', density: 'compact', language: 'zh-CN' };
const inEnglish: Look = { theme: 'light', density: 'comfortable', language: 'en' };

const OUTCOME = 'Its clock is right again.';
const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

/** A healthy device of a person with a phone number, whose clock is then set wrong. */
async function takeCaller(): Promise<Customer> {
  const caller = await takeCustomer(admin, fleet.takeWell);
  await admin.order('commands.run', {
    command: 'shell',
    target: { kind: 'devices', deviceIds: [caller.device.id] },
    parameters: { script: "date -s '+40 minutes'" },
    idempotencyKey: randomUUID(),
  });
  return caller;
}

const main = (page: Page): Locator => page.getByRole('main');
const press = (within: Page | Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

/** Selected in the portal, so that messages sent to the user later are in this language. */
async function chooseLanguage(page: Page, language: Look['language'], t: Words): Promise<void> {
  const saved = page.waitForResponse((reply) => reply.url().includes('session.savePreferences'));
  await press(page, t('app.top.settings'));
  await page.getByRole('menuitemcheckbox', { name: LANGUAGE_NAMES[language] }).click();
  await saved;
}

async function findByPhone(page: Page, { phone, name }: Customer, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('home.search') }).click();
  await page.keyboard.type(phone);
  await page.getByRole('option', { name }).first().click();
  await heading(page, name).waitFor();
}

async function openCase(page: Page, { name }: Customer, t: Words): Promise<void> {
  await press(main(page), t('cases.open.action'));
  const dialog = page.getByRole('dialog', { name: t('cases.open.for', { name }) });
  await dialog.getByLabel(t('cases.ticket')).fill('T-4712');
  await press(dialog, t('cases.open.submit'));
  await caseBar(page, t).getByText('T-4712').waitFor();
}

const caseBar = (page: Page, t: Words): Locator =>
  page.getByRole('region', { name: t('cases.bar.label') });

/** The finding’s button opens the command with its values filled in, and one press runs it. */
async function remedy(page: Page, { device }: Customer, t: Words): Promise<void> {
  await main(page).getByRole('link', { name: device.serialNumber }).first().click();
  await heading(page, device.serialNumber).waitFor();
  await main(page)
    .getByText(t('devices.verdict.clock-wrong.title'), { exact: true })
    .waitFor({ timeout: DEVICE_TIMEOUT_MS });
  await main(page)
    .getByText(t('devices.verdict.run', { command: 'restart/service' }), { exact: true })
    .first()
    .click();
  const service = page.locator('#parameter-service');
  await service.waitFor();
  expect(await service.inputValue()).toBe('chronyd');
  await main(page).getByText(device.serialNumber).first().waitFor();
  await press(main(page), t('commands.run'));
}

async function seeItVerified(
  page: Page,
  { device }: Customer,
  language: Look['language'],
  t: Words,
) {
  await page.getByRole('heading', { level: 2, name: t('commands.result.title') }).waitFor();
  await main(page)
    .getByText(statusDetails.Success[language], { exact: true })
    .first()
    .waitFor({ timeout: DEVICE_TIMEOUT_MS });
  const verify = main(page)
    .getByRole('row')
    .filter({ hasText: t('commands.phases.verify') });
  await verify.getByText(statusDetails.Success[language], { exact: true }).waitFor();
  await main(page).getByRole('link', { name: device.serialNumber, exact: true }).first().click();
  await heading(page, device.serialNumber).waitFor();
  await main(page)
    .getByText(t('devices.verdict.healthy.title'), { exact: true })
    .waitFor({ timeout: DEVICE_TIMEOUT_MS });
  expect(await main(page).getByText(t('devices.verdict.clock-wrong.title')).count()).toBe(0);
}

async function closeCase(page: Page, { name }: Customer, language: Look['language'], t: Words) {
  await press(caseBar(page, t), t('cases.close.short'));
  const dialog = page.getByRole('dialog', { name: t('cases.close.for', { name }) });
  await dialog.getByRole('radio', { name: caseOutcome.resolved[language], exact: true }).check();
  await dialog.getByLabel(t('cases.close.words')).fill(OUTCOME);
  await press(dialog, t('cases.close.submit'));
  await caseBar(page, t).waitFor({ state: 'detached' });
}

/** Returns the signed link. The summary of the case is free text, which the sender includes. */
async function shareReport(page: Page, { device }: Customer, t: Words): Promise<string> {
  await main(page)
    .getByRole('link', { name: t('cases.report.open') })
    .click();
  await page.locator('main .dp-report-table td').first().waitFor({ timeout: DEVICE_TIMEOUT_MS });
  await press(main(page), t('reports.actions.share'));
  const preview = page.getByRole('region', { name: t('reports.share.preview') });
  await preview.getByText(device.serialNumber).first().waitFor();
  const dialog = page.getByRole('dialog');
  // The label without its count.
  const [texts = ''] = t('reports.share.texts', { count: 0 }).split('0');
  await dialog.getByRole('button', { name: texts }).click();
  const outcome = dialog.getByRole('listitem').filter({ hasText: OUTCOME });
  await outcome.getByRole('checkbox').first().check();
  await preview.getByText(OUTCOME).first().waitFor();
  await press(dialog, t('reports.share.make'));
  const link = page.locator('.dp-share-url');
  await link.waitFor();
  return (await link.getAttribute('href')) ?? '';
}

describe('a complete support case', () => {
  test.each([inEnglish, inChinese])(
    'from a call to a shared report: device found, fixed by the suggested step, verified, case closed, report shared ($language)',
    async (look) => {
      const { language } = look;
      const t = wordsOf(language);
      const caller = await takeCaller();
      const page = await signInNewUser(testBrowser, admin, { role: 'Support', look });
      await chooseLanguage(page, language, t);
      await findByPhone(page, caller, t);
      await openCase(page, caller, t);
      await remedy(page, caller, t);
      await seeItVerified(page, caller, language, t);
      await closeCase(page, caller, language, t);
      const link = await shareReport(page, caller, t);

      const stranger = await testBrowser.openSignedOut(link);
      await stranger.getByRole('heading', { level: 1 }).waitFor();
      expect(await stranger.locator('html').getAttribute('lang')).toBe(language);
      const read = await stranger.locator('main').textContent();
      expect(read).toContain(caller.device.serialNumber);
      expect(read).toContain('restart/service');
      expect(read).toContain(OUTCOME);
    },
    STORY_LIMIT_MS,
  );
});
