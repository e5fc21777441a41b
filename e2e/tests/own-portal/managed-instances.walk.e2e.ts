import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { SmallSsm } from '../../../apps/server/tests/systems-manager/small-ssm.ts';
import { findViolations } from '../../support/accessibility.ts';
import { launchBrowser } from '../../support/browser.ts';
import { watchErrors } from '../../support/page-errors.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';

const NAME = 'web-1.internal';
/** An agent of Systems Manager that runs all documents. */
const AGENT = '3.3.2746.0';

let ssm: SmallSsm;
let browser: Browser;
let portal: SpawnedPortal;
beforeAll(async () => {
  ssm = await SmallSsm.start([{ id: 'mi-web1', isOnline: true, agentVersion: AGENT, name: NAME }]);
  browser = await launchBrowser();
  portal = await spawnPortal(['--fleet', '2', '--no-agent'], {
    DEVICEPORTAL_RUN_COMMAND: 'ssm',
    DEVICEPORTAL_RUN_COMMAND_ENDPOINT: ssm.endpoint,
    DEVICEPORTAL_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(async () => {
  await browser?.close();
  await portal?.[Symbol.asyncDispose]();
  await ssm?.[Symbol.asyncDispose]();
});

test('a managed instance states what is not available on it, and a form why it cannot run a document', async () => {
  const page = await openSignedIn();
  const errors = watchErrors(page);
  await page.goto('/devices');
  const row = page.getByRole('row').filter({ hasText: NAME });
  await row.getByRole('link', { name: 'No serial number' }).click();
  const note = page.getByText('Managed by AWS Systems Manager').locator('../..');
  await note.getByText('mi-web1').waitFor();
  await note.getByText(/^Documents with secret parameters, because/).waitFor();
  expect(await findViolations(page)).toEqual([]);
  const deviceId = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  await page.goto(`/commands/software/inventory?device=${deviceId}`);
  const reason = `${NAME} is managed by AWS Systems Manager, which cannot run this document.`;
  await page.getByText(reason).first().waitFor();
  expect(errors.messages()).toEqual([]);
});

async function openSignedIn(): Promise<Page> {
  const context = await browser.newContext({ baseURL: portal.url, locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  await page.goto('/signin');
  const askedAt = await askForCode(page, addressOf('admin'));
  await codeField(page).fill(await readCode(addressOf('admin'), askedAt, portal.url));
  await page.locator('#top-bar').waitFor();
  return page;
}
