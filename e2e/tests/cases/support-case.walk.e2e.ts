import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import { takeCustomer, type Customer } from '../../support/customer.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import type { Look } from '../../support/looks.ts';
import { PortalClient } from '../../support/portal-client.ts';
import {
  OUTCOME,
  closeCase,
  findByPhone,
  openCase,
  press,
  remedy,
  seeItVerified,
  shareReport,
} from '../../support/support-case-steps.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { wordsOf, type Words } from '../../support/words-of.ts';

/** A sign-in, nine screens, a finding that appears and is resolved, and a report. */
const STORY_LIMIT_MS = 240_000;
const LANGUAGE_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const;
const inChinese: Look = { theme: 'dark', density: 'compact', language: 'zh-CN' };
const inEnglish: Look = { theme: 'light', density: 'comfortable', language: 'en' };

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

/** Selected in the portal, so that messages sent to the user later are in this language. */
async function chooseLanguage(page: Page, language: Look['language'], t: Words): Promise<void> {
  const saved = page.waitForResponse((reply) => reply.url().includes('session.savePreferences'));
  await press(page, t('app.top.settings'));
  await page.getByRole('menuitemcheckbox', { name: LANGUAGE_NAMES[language] }).click();
  await saved;
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
