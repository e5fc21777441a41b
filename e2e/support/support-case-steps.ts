import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { statusDetails, caseOutcome } from '@deviceportal/contract/states';
import type { Look } from './looks.ts';
import { DEVICE_TIMEOUT_MS } from './timeouts.ts';
import { heading } from './words.ts';
import type { Words } from './words-of.ts';

/** Written into a case when it is closed. */
export const OUTCOME = 'Its clock is right again.';

/** A person who calls, and the device that the call is about. */
export interface Caller {
  readonly name: string;
  readonly label: string;
  readonly phone: string;
  readonly device: { readonly serialNumber: string };
}

const main = (page: Page): Locator => page.getByRole('main');
export const press = (within: Page | Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

export async function findByPhone(page: Page, { phone, name }: Caller, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('home.search') }).click();
  await page.keyboard.type(phone);
  await page.getByRole('option', { name }).first().click();
  await heading(page, name).waitFor();
}

export async function openCase(page: Page, { label }: Caller, t: Words): Promise<void> {
  await press(main(page), t('cases.open.action'));
  const dialog = page.getByRole('dialog', { name: t('cases.open.for', { name: label }) });
  await dialog.getByLabel(t('cases.ticket')).fill('T-4712');
  await press(dialog, t('cases.open.submit'));
  await caseBar(page, t).getByText('T-4712').waitFor();
}

const caseBar = (page: Page, t: Words): Locator =>
  page.getByRole('region', { name: t('cases.bar.label') });

/** The finding’s button opens the command with its values filled in, and one press runs it. */
export async function remedy(page: Page, { device }: Caller, t: Words): Promise<void> {
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

export async function seeItVerified(
  page: Page,
  { device }: Caller,
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

export async function closeCase(
  page: Page,
  { label }: Caller,
  language: Look['language'],
  t: Words,
) {
  await press(caseBar(page, t), t('cases.close.short'));
  const dialog = page.getByRole('dialog', { name: t('cases.close.for', { name: label }) });
  await dialog.getByRole('radio', { name: caseOutcome.resolved[language], exact: true }).check();
  await dialog.getByLabel(t('cases.close.words')).fill(OUTCOME);
  await press(dialog, t('cases.close.submit'));
  await caseBar(page, t).waitFor({ state: 'detached' });
}

/** Returns the signed link. The summary of the case is free text, which the sender includes. */
export async function shareReport(page: Page, { device }: Caller, t: Words): Promise<string> {
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
