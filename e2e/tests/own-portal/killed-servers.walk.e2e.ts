import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../../apps/server/tests/support/until.ts';
import { countSteps, toldOnce } from '../../../apps/server/tests/support/portal-person.ts';
import { markingScript } from '../../../apps/server/tests/support/slow-script.ts';
import { lacks } from '../../../packages/aws/tests/parts/parts.ts';
import { BalancedPortal } from '../../support/balanced-portal.ts';
import { launchBrowser } from '../../support/browser.ts';
import { killInTurn } from '../../support/kill-in-turn.ts';
import { watchErrors, type PageErrors } from '../../support/page-errors.ts';
import { askForCode, codeField, identifierField } from '../../support/sign-in.ts';
import {
  closeCase,
  findByPhone,
  openCase,
  press,
  remedy,
  seeItVerified,
  shareReport,
  type Caller,
} from '../../support/support-case-steps.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { rowOf } from '../../support/words.ts';
import { wordsOf } from '../../support/words-of.ts';

const KILL_EVERY_MS = 20_000;
const LEAST_MS = 125_000;
const LEAST_KILLS = 6;
const LEAST_JOBS = 3;
/** More than can call in that time. */
const CUSTOMERS = 30;
const LIMIT_MS = 600_000;
/** What the browser itself logs about a connection to a killed server. */
const LOST = /WebSocket|Failed to load resource|Unable to transform|Failed to fetch|NetworkError/;

const t = wordsOf('en');
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const missing = ['haproxy', 'mosquitto', 'openssl'].filter(
  (name) => spawnSync(name, ['-h'], { env: { PATH } }).error !== undefined,
);
if (missing.length > 0) {
  process.stdout.write(`Skipped: support jobs on three servers need ${missing.join(', ')}.\n`);
}
const lacksStore = lacks('versitygw');

describe.skipIf(missing.length > 0 || lacksStore)('support jobs on three servers', () => {
  let portal: BalancedPortal;
  let browser: Browser;
  let support: string[];

  // Anew for each attempt, because its customers can be helped once.
  beforeEach(async () => {
    support = [];
    portal = await BalancedPortal.start(CUSTOMERS);
    for (let user = 0; user < CUSTOMERS; user += 1) support.push(await portal.invite('Support'));
    browser = await launchBrowser();
  }, LIMIT_MS);
  afterEach(async () => {
    await browser?.close();
    await portal?.[Symbol.asyncDispose]();
  }, LIMIT_MS);

  test(
    'end well without a reload while one server is killed every 20 seconds, and each command runs once',
    { timeout: LIMIT_MS },
    async () => {
      const killing = killInTurn(portal.servers, KILL_EVERY_MS);
      const endsAtMs = Date.now() + LEAST_MS;
      let hasFailed = false;
      const isOn = (): boolean =>
        !hasFailed && (Date.now() < endsAtMs || killing.kills() < LEAST_KILLS);
      const works = [
        inTurn((turn) => isOn() || (!hasFailed && turn < LEAST_JOBS), helpCaller),
        markWhile(isOn),
      ] as const;
      const [helped, marks] = await Promise.all(works)
        .catch(async (error: unknown) => {
          hasFailed = true;
          await Promise.allSettled(works);
          throw error;
        })
        .finally(killing.end);
      process.stdout.write(
        `${helped} support jobs and ${marks} commands, ${killing.kills()} servers killed.\n`,
      );
      await expectEachCommandOnce(helped + marks);
      await portal.servers.command('verify-audit');
    },
  );

  /** One support job, by a user who signs in for it. */
  async function helpCaller(turn: number): Promise<void> {
    const caller = portal.callers[turn];
    const email = support[turn];
    if (caller === undefined || email === undefined) throw new Error('more jobs than customers');
    const context = await browser.newContext({
      ...{ baseURL: portal.servers.url, ignoreHTTPSErrors: true, locale: 'en', timezoneId: 'UTC' },
      ...{ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const errors = watchErrors(page);
    errors.expect(LOST);
    await signIn(page, email);
    await mark(page);
    await help(page, caller);
    expect(await isMarked(page)).toBe(true);
    await signOut(page, email);
    expectNone(errors);
    await context.close();
  }

  async function help(page: Page, caller: Caller): Promise<void> {
    await findByPhone(page, caller, t);
    await openCase(page, caller, t);
    await remedy(page, caller, t);
    await seeItVerified(page, caller, 'en', t);
    await readAuditTrail(page, caller);
    await page.goBack();
    await closeCase(page, caller, 'en', t);
    await shareReport(page, caller, t);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('reports.share.close'), { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async function signIn(page: Page, email: string): Promise<void> {
    const before = portal.servers.mails.length;
    await page.goto('/signin?next=%2F');
    await askForCode(page, email);
    await codeField(page).fill(await portal.servers.readCode(email, before));
    await page.locator('#top-bar').waitFor();
  }

  async function readAuditTrail(page: Page, { device }: Caller): Promise<void> {
    await page.evaluate(
      (path) => history.pushState({}, '', path),
      `/audit-trail/device?device=${device.serialNumber}`,
    );
    await rowOf(page, 'restart/service').first().waitFor();
  }

  async function signOut(page: Page, email: string): Promise<void> {
    await press(page, email);
    await page.getByRole('menuitem', { name: t('app.top.signOut') }).click();
    await identifierField(page).waitFor();
  }

  /** Short commands on a real machine, as sent by a program that repeats a request without a response. */
  async function markWhile(isOn: () => boolean): Promise<number> {
    const script = markingScript(portal.servers.folder, 'real');
    const sent = await inTurn(isOn, async () => {
      const idempotencyKey = randomUUID();
      const run = await persistently(() =>
        portal.admin.mustOrder<{ id: string }>('commands.run', {
          ...{ command: 'shell', target: { kind: 'devices', deviceIds: [portal.realDeviceId] } },
          ...{ parameters: { script: script.text }, idempotencyKey },
        }),
      );
      await until(async () => {
        const found = await portal.admin.run(run.id).catch(() => undefined);
        return found !== undefined && found.endedAt !== null;
      }, LIMIT_MS / 4);
    });
    expect(await script.countRuns()).toBe(sent);
    return sent;
  }

  async function expectEachCommandOnce(count: number): Promise<void> {
    // The first one set the clocks.
    const [first, ...runs] = await portal.rows<{ id: string; states: string[] }>(
      `select command_run.id, array_agg(invocation.state) as states
       from command_run join invocation on run_id = command_run.id
       group by command_run.id order by command_run.id`,
    );
    expect(first?.states.length).toBe(CUSTOMERS);
    expect(runs.map(({ states }) => states)).toEqual(
      Array.from({ length: count }, () => ['Success']),
    );
    for (const { id: runId } of runs) {
      const told = countSteps(await portal.admin.auditTrail({ runId }));
      expect([runId, told]).toEqual([runId, toldOnce]);
    }
  }
});

/** Marks a page, to detect a reload. */
const mark = (page: Page) => page.evaluate(() => Reflect.set(globalThis, 'marked', true));
const isMarked = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'marked'));

const expectNone = (errors: PageErrors): void =>
  expect(errors.messages(), 'errors and warnings in the browser').toEqual([]);

/** @returns how often it ran */
async function inTurn(
  isOn: (turn: number) => boolean,
  work: (turn: number) => Promise<void>,
): Promise<number> {
  let turn = 0;
  for (; isOn(turn); turn += 1) await work(turn);
  return turn;
}

async function persistently<Result>(call: () => Promise<Result>): Promise<Result> {
  let result: { readonly of: Result } | undefined;
  await until(async () => {
    result = await call().then(
      (of) => ({ of }),
      () => undefined,
    );
    return result !== undefined;
  }, 60_000);
  if (result === undefined) throw new Error('not reached');
  return result.of;
}
