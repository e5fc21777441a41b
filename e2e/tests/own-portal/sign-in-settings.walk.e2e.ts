import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openExternalProvider,
  type ExternalProvider,
} from '../../../apps/server/tests/support/external-provider.ts';
import { mutate } from '../../../apps/server/tests/support/portal-api.ts';
import { launchBrowser } from '../../support/browser.ts';
import { openCuttableProxy } from '../../support/cuttable-proxy.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { heading } from '../../support/words.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';

const YEAR_SECONDS = 31_536_000;
const withoutDevices = ['--fleet', '0', '--no-agent'];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openPage(
  portal: SpawnedPortal,
  options: BrowserContextOptions = {},
): Promise<Page & AsyncDisposable> {
  const context = await browser.newContext({ baseURL: portal.url, locale: 'en', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  await page.goto('/signin');
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

/** The second request with another page size follows immediately after the first one. */
const SECOND_LIST_WITHIN_MS = 1_000;
const isList = (url: string): boolean => /devices\.list(?!\w)/.test(decodeURIComponent(url));

const home = (page: Page) => heading(page, 'Home').waitFor();

describe('tokens in cookies, one-minute sessions, and rate limits', () => {
  let portal: SpawnedPortal;
  beforeAll(async () => {
    portal = await spawnPortal(withoutDevices, {
      DEVICEPORTAL_TOKEN_STORAGE: 'cookie',
      DEVICEPORTAL_SESSION_DURATION_MINUTES: '1',
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('[e2e-settings-1] tokens are only in one-year cookies of this site, and the session ends after a minute', async () => {
    await using page = await openPage(portal);
    const askedAt = await askForCode(page, addressOf('viewer'));
    await codeField(page).fill(await readCode(addressOf('viewer'), askedAt, portal.url));
    await home(page);
    const signedInAtMs = Date.now();
    const cookies = await page.context().cookies();
    const tokens = cookies.filter(({ name }) => /\.(id|access|refresh)Token$/.test(name));
    expect(tokens).toHaveLength(3);
    for (const { path, sameSite, expires, secure } of tokens) {
      expect({ path, sameSite, secure }).toEqual({ path: '/', sameSite: 'Strict', secure: false });
      expect(expires - signedInAtMs / 1_000).toBeGreaterThan(YEAR_SECONDS - 120);
      expect(expires - signedInAtMs / 1_000).toBeLessThanOrEqual(YEAR_SECONDS);
    }
    const stored = await page.evaluate(() => JSON.stringify(localStorage));
    expect(stored).not.toContain('Token"');
    expect(stored).not.toContain('eyJ');
    await page.reload();
    await home(page);

    await page.waitForTimeout(Math.max(0, signedInAtMs + 61_000 - Date.now()));
    await page.goto('/documents');
    await page.getByLabel('Username, email, or phone number').waitFor();
  }, 110_000);

  test('a rate-limited user sees the waiting time, and the button is disabled until then', async () => {
    await using page = await openPage(portal);
    await askForCode(page, addressOf('auditor'));
    await page.getByRole('button', { name: 'Not you? Change' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('Too many attempts.').waitFor();
    await page.getByText(/Try again in 0:[0-3]\d\./).waitFor();
    expect(await page.getByRole('button', { name: 'Send code' }).isDisabled()).toBe(true);
  });
});

describe('the external provider', () => {
  const li = {
    id: 'u-li',
    email: 'li@corp.example',
    phone: '13800138000',
    name: 'Li Na',
    roles: ['DevicePortal_Admin'],
  };
  const barred = { ...li, id: 'u-wu', email: 'wu@corp.example', phone: '1390', barred: true };
  let provider: ExternalProvider;
  let portal: SpawnedPortal;
  /** Excludes requests that the page sends while it opens. */
  const callsSince = (from: number): readonly string[] =>
    provider.calls.slice(from).filter((name) => !name.endsWith('/public-config'));
  beforeAll(async () => {
    provider = await openExternalProvider([li, barred]);
    portal = await spawnPortal(withoutDevices, {
      DEVICEPORTAL_PROVIDER_SET: 'authing',
      DEVICEPORTAL_AUTHING_APP_ID: provider.appId,
      DEVICEPORTAL_AUTHING_HOST: provider.host,
      DEVICEPORTAL_AUTHING_ISSUER: provider.issuer,
      DEVICEPORTAL_AUTHING_KEY_SET_URL: provider.keySetUrl,
    });
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  test('sign-in by email: a wrong code, the right code, administrator role, reload, and sign-out', async () => {
    await using page = await openPage(portal);
    const from = provider.calls.length;
    await askForCode(page, li.email);
    await page.getByText('l•••@corp.example').waitFor();
    await codeField(page).fill('000000');
    await page.getByText('That code isn’t right.').waitFor();
    await codeField(page).fill(provider.codes.get(li.email) ?? '');
    await home(page);
    await page.reload();
    await home(page);
    await page.goto('/uam/users');
    await heading(page, /Users/).waitFor();
    await page.getByRole('button', { name: /Li Na/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email or phone number').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('_authing_token'))).toBeNull();
    const browserCalls = callsSince(from).filter((name) => name !== 'user');
    expect(browserCalls).toEqual([
      'isUserExists',
      'sendEmail',
      '/api/v2/login/email-code',
      '/api/v2/login/email-code',
      '/api/v2/logout',
    ]);
  });

  test('sign-in by phone: the country code is sent separately', async () => {
    await using page = await openPage(portal);
    const from = provider.calls.length;
    await askForCode(page, '+86 138 0013 8000');
    await page.getByText('We texted a 6-digit code').waitFor();
    await codeField(page).fill(provider.codes.get(li.phone) ?? '');
    await home(page);
    expect(callsSince(from).slice(0, 3)).toEqual([
      'isUserExists',
      '/api/v2/sms/send',
      'loginByPhoneCode',
    ]);
  });

  test('the sign-in opens the live channel, a reload restores it, and a sign-out ends it', async () => {
    await using proxy = await openCuttableProxy(Number(new URL(portal.url).port));
    await using page = await openPage({ ...portal, url: proxy.url });
    const isOpen = async (count: number): Promise<void> => {
      await expect.poll(() => proxy.liveConnections(), { timeout: PAGE_TIMEOUT_MS }).toBe(count);
    };
    await askForCode(page, li.email);
    await codeField(page).fill(provider.codes.get(li.email) ?? '');
    await home(page);
    await isOpen(1);
    await page.reload();
    await home(page);
    await isOpen(1);
    const identity = await page.evaluate(() => localStorage.getItem('deviceportal.federated'));
    expect(JSON.parse(identity ?? '{}')).toMatchObject({
      provider: provider.issuer.replace('http://', ''),
      subject: li.id,
    });
    await page.getByRole('button', { name: /Li Na/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email or phone number').waitFor();
    await isOpen(0);
  });

  test('with a chosen page size, the first page is requested once, in that size', async () => {
    const token = await provider.idToken(li);
    const input = { tables: { devices: { pageSize: 100 } } };
    await mutate(portal.url, { path: 'session.savePreferences', input, token });
    await using page = await openPage(portal);
    await askForCode(page, li.email);
    await codeField(page).fill(provider.codes.get(li.email) ?? '');
    await home(page);
    const lists: string[] = [];
    page.on('request', (request) => {
      if (isList(request.url())) lists.push(decodeURIComponent(request.url()));
    });
    const listed = page.waitForResponse((reply) => isList(reply.url()));
    await page.goto('/devices');
    await heading(page, /Devices/).waitFor();
    await listed;
    await page.waitForTimeout(SECOND_LIST_WITHIN_MS);
    expect(lists).toHaveLength(1);
    expect(lists[0]).toMatch(/"(?:pageSize|limit)":100/);
  });

  test('unknown users, users without access, and usernames have different messages', async () => {
    await using page = await openPage(portal);
    const field = page.getByLabel('Email or phone number');
    const ask = async (identifier: string, answer: string): Promise<void> => {
      await field.fill(identifier);
      await page.keyboard.press('Enter');
      await page.getByText(answer).waitFor();
    };
    await ask('li', 'A code can’t be sent to a username here.');
    await ask('nobody@corp.example', 'We can’t find an account for nobody@corp.example.');
    await ask(barred.email, 'We can’t sign wu@corp.example in to this portal.');
  });
});
