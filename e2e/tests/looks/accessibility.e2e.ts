import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { APPROVAL_DEVICES } from '../../support/start-portal.ts';
import { abortAirBlast } from '../../support/abort-air-blast.ts';
import { OPEN_TICKET } from '../../support/situations/case-situations.ts';
import { findViolations } from '../../support/accessibility.ts';
import { findSerifTexts } from '../../support/find-serif-texts.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { isThorough } from '../../support/is-thorough.ts';
import { looksOf, putOn, speak, type Look } from '../../support/looks.ts';
import { PortalClient } from '../../support/portal-client.ts';
import type { Situation } from '../../support/situations/situation.ts';
import { IN_APPROVAL, IN_REVIEW, situations } from '../../support/situations/situations.ts';
import { openTestBrowser, type BrowserOptions } from '../../support/test-browser.ts';

const CANARY_LIMIT_MS = 60_000;
/** Long lists. Their rows look the same, so a few are sufficient. */
const LONG_LISTS = ['devices', 'audit-trail', 'api-calls', 'people', 'users', 'documents'] as const;
const FEW_ROWS = 10;
const testBrowser = openTestBrowser();
let fleet: Fleet;
let operator: PortalClient;
let airBlastId: string;
beforeAll(async () => {
  const admin = await PortalClient.signIn('admin');
  if (!isThorough) await shortenLists(admin);
  fleet = await readFleet(admin);
  // Ensures that lists of runs have rows, and that forms offer the last values.
  await admin.order('commands.run', {
    command: 'storage/usage',
    target: { kind: 'devices', deviceIds: [fleet.real.id] },
    parameters: { path: '/tmp' },
    idempotencyKey: randomUUID(),
  });
  operator = await PortalClient.signIn('operator');
  await putInReview(operator);
  await keepCases(await PortalClient.signIn('support'));
  airBlastId = await putInApproval();
});
// Releases its devices for the tests of other files.
afterAll(() => abortAirBlast(operator, airBlastId));

async function shortenLists(person: PortalClient): Promise<void> {
  const tables = Object.fromEntries(LONG_LISTS.map((id) => [id, { pageSize: FEW_ROWS }]));
  await person.order('session.savePreferences', { tables });
}

/** A closed case with a note, and an open one. */
async function keepCases(support: PortalClient): Promise<void> {
  const personId = fleet.owned.owner.id;
  const { id } = await support.order<{ id: string }>('cases.open', {
    personId,
    ticket: 'T-1',
  });
  await support.order('cases.addNote', { id, text: 'A note' });
  await support.order('cases.close', { id, outcome: 'resolved', text: 'Mended' });
  const dueAt = new Date(Date.now() - 3_600_000).toISOString();
  const open = { ticket: OPEN_TICKET, assigneeId: null, priority: 'urgent', queue: 'Lockers' };
  await support.order('cases.open', { personId, ...open, dueAt });
  await support.order('cases.leave', undefined);
}

/** A rollout that is waiting for an approval. */
async function putInApproval(): Promise<string> {
  const deviceIds = fleet.devices
    .filter(({ connectivity, lifecycle }) => connectivity === 'online' && lifecycle === 'active')
    .slice(0, APPROVAL_DEVICES)
    .map(({ id }) => id);
  const { id } = await operator.order<AirBlastDetail>('airBlast.plan', {
    name: IN_APPROVAL,
    change: { kind: 'document', document: 'DevicePortal-storage-usage' },
    target: { kind: 'devices', deviceIds },
    options: { successPercent: 1 },
    idempotencyKey: randomUUID(),
  });
  await operator.order('airBlast.assumeRole', { id });
  for (const step of ['preflight', 'canary']) {
    const { nextStep } = await operator.order<AirBlastDetail>('airBlast.renewToken', { id });
    await operator.order('airBlast.startStep', { id, step, token: nextStep?.token });
  }
  for (const endsAt = Date.now() + CANARY_LIMIT_MS; Date.now() < endsAt;) {
    const { state } = await operator.ask<AirBlastDetail>('airBlast.get', { id });
    if (state === 'approval') return id;
    await sleep(200);
  }
  throw new Error('the canaries have not finished in time');
}

/** A version in review. It already exists on a server that was used by an earlier test run. */
async function putInReview(author: PortalClient): Promise<void> {
  const step = { action: 'aws:runShellScript', inputs: { runCommand: ['true'] } };
  const mainSteps = [
    { ...step, name: 'look', onFailure: 'exit', onSuccess: 'exit' },
    { ...step, name: 'mend', precondition: { StringEquals: ['platformType', 'Linux'] } },
    { ...step, name: 'tidy-up', finallyStep: true },
  ];
  const document = {
    name: IN_REVIEW,
    consequence: 'changes',
    content: JSON.stringify({ schemaVersion: '2.2', mainSteps }, null, 2),
  };
  const version = { name: IN_REVIEW, version: 1 };
  await author
    .order('documents.create', document)
    .then(() => author.order('documents.sendForReview', version))
    .catch((error: unknown) => expect(String(error)).toContain('is taken'));
}

const signInSteps = ['identifier', 'unknown account', 'code', 'wrong code'] as const;

/** The steps of the sign-in come after the other situations. */
const looks = looksOf(situations.length + signInSteps.length);

/** One page for all looks: they change on it without a reload, as in the product. */
async function violationsIn(own: readonly Look[], page: Page) {
  const found: string[] = [];
  for (const look of own) {
    await speak(page, look);
    await putOn(page, look);
    found.push(...(await violationsAs(look, page)));
  }
  return found;
}

/** Pages outside the portal follow the language and theme of the browser. */
async function violationsOutside(own: readonly Look[], open: (look: Look) => Promise<Page>) {
  const found: string[] = [];
  for (const look of own) {
    const page = await open(look);
    await putOn(page, look);
    found.push(...(await violationsAs(look, page)));
  }
  return found;
}

async function violationsAs({ theme, density, language }: Look, page: Page): Promise<string[]> {
  const problems = [...(await findViolations(page)), ...(await findSerifTexts(page))];
  return problems.map((problem) => `${theme} ${density} ${language}: ${problem}`);
}

const options = {
  // The content security policy would block the script of axe. Other tests run with the policy.
  bypassCSP: true,
  // Tall enough for the whole page, because elements partly covered by a sticky bar would count as
  // targets that are too small.
  viewport: { width: 1440, height: 2400 },
};

describe('accessibility of every screen', () => {
  test.each(situations.map((situation, index) => ({ situation, index, name: situation.name })))(
    '[e2e-accessible] $name',
    async ({ situation, index }) => {
      const own = looks[index] ?? [];
      const violations = situation.isOutside
        ? await violationsOutside(own, (look) =>
            reach(situation, { colorScheme: look.theme, locale: look.language }),
          )
        : await violationsIn(own, await reach(situation));
      expect(violations).toEqual([]);
    },
  );

  test.each(signInSteps.map((step, index) => ({ step, index: situations.length + index })))(
    '[e2e-accessible] sign-in, $step',
    async ({ step, index }) => {
      const page = await testBrowser.openSignedOut('/signin', options);
      testBrowser.expectErrors(page, /400|Failed to load resource/);
      const mailbox = step === 'unknown account' ? 'nobody' : 'viewer';
      await page.locator('input[autocomplete^="username"]').fill(`${mailbox}@deviceportal.local`);
      if (step !== 'identifier') await page.keyboard.press('Enter');
      const code = page.locator('input[autocomplete="one-time-code"]');
      if (step.endsWith('code')) await code.waitFor();
      if (step === 'wrong code') await code.fill('000000');
      if (/unknown|wrong/.test(step)) await page.locator('.si-error:not(:empty)').waitFor();
      expect(await violationsIn(looks[index] ?? [], page)).toEqual([]);
    },
  );
});

async function reach(situation: Situation, ofBrowser: BrowserOptions = {}): Promise<Page> {
  const { before, isAlone } = situation;
  const page = await testBrowser.open('admin', situation.path(fleet), {
    ...options,
    ...ofBrowser,
    ...(before === undefined ? {} : { before }),
    goesOn: before === undefined && isAlone === undefined,
  });
  testBrowser.expectErrors(page, /Failed to load resource|query /);
  await situation.reach(page);
  return page;
}
