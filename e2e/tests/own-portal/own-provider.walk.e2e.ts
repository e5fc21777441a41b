import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoleRow } from '@deviceportal/contract/access';
import {
  BASE,
  hasDirectory,
  openDirectory,
  SERVICE,
  type Directory,
} from '../../../packages/identity/tests/provider/support/open-directory.ts';
import { ProviderFixture } from '../../../apps/server/tests/support/provider-fixture.ts';
import { findViolations } from '../../support/accessibility.ts';
import { launchBrowser } from '../../support/browser.ts';
import { allLooks, putOn } from '../../support/looks.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { totpOf } from '../../support/totp.ts';
import { heading } from '../../support/words.ts';

const PHONE = '+8613800138000';
const PASSWORD = 'Anna has 1 password';

let browser: Browser;
let directory: Directory | undefined;
let folder: string;
let portal: SpawnedPortal;

beforeAll(async () => {
  browser = await launchBrowser();
  directory = await openStaff();
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-connections-'));
  const connections = directory === undefined ? [] : [connectionTo(directory)];
  const file = join(folder, 'connections.json');
  await writeFile(file, JSON.stringify(connections));
  portal = await spawnPortal(['--fleet', '0', '--no-agent'], {
    DEVICEPORTAL_PROVIDER_SET: 'authing',
    DEVICEPORTAL_IDP_CONNECTIONS: file,
    DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
  });
}, 180_000);
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  await browser.close();
});

/** A directory with the user Anna. Undefined if its server program is not installed. */
async function openStaff(): Promise<Directory | undefined> {
  if (!hasDirectory) {
    process.stdout.write('Skipped: signing in with a directory needs the program slapd.\n');
    return undefined;
  }
  const staff = await openDirectory();
  await staff.add('anna', {
    uid: 'anna',
    mail: 'anna@corp.example',
    displayName: 'Anna Nowak',
    userPassword: PASSWORD,
  });
  return staff;
}

const connectionTo = ({ url }: Directory) => ({
  protocol: 'ldap',
  identifier: 'staff',
  displayName: 'Staff',
  url,
  bindDn: SERVICE.dn,
  bindPassword: SERVICE.password,
  baseDn: BASE,
});

async function openPage(options: BrowserContextOptions = {}): Promise<Page & AsyncDisposable> {
  const context = await browser.newContext({
    baseURL: portal.url,
    locale: 'en',
    viewport: { width: 1440, height: 2400 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(2 * PAGE_TIMEOUT_MS);
  await page.goto('/signin');
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

const home = (page: Page) => heading(page, 'Home').waitFor();
const identifier = (page: Page) => page.getByLabel('Email or phone number');

async function signInByCode(page: Page, address: string): Promise<void> {
  const askedAt = await askForCode(page, address);
  await codeField(page).fill(await readCode(address, askedAt, portal.url));
}

async function signOut(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await identifier(page).waitFor();
}

describe('the installation’s own provider', () => {
  test('sign-in by email: a wrong code, the right code, administrator role, reload, live channel, and sign-out in every tab', async () => {
    await using page = await openPage();
    await askForCode(page, addressOf('admin'));
    await codeField(page).fill('000000');
    await page.getByText('That code isn’t right.').waitFor();
    const code = await readCode(addressOf('admin'), new Date(0), portal.url);
    await codeField(page).fill(code);
    await home(page);
    await page.reload();
    await home(page);
    await page.goto('/uam/users');
    await heading(page, /Users/).waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('deviceportal.federated') ?? ''), {
        timeout: 2 * PAGE_TIMEOUT_MS,
      })
      .toContain('/idp/oidc');
    const beside = await page.context().newPage();
    await beside.goto('/devices');
    await heading(beside, /Devices/).waitFor();
    const token = await page.evaluate(() => localStorage.getItem('_authing_token'));
    await signOut(page, /Ada Administrator/);
    await identifier(beside).waitFor();
    // The revoked token is rejected.
    const reply = await fetch(`${portal.url}/api/trpc/session.get`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(401);
  }, 120_000);

  test('sign-in by phone: the code is sent as a text message', async () => {
    const admin = await ProviderFixture.open(portal, 'admin');
    const roles = await admin.read<readonly RoleRow[]>('access.roles.list');
    const roleIds = roles.filter(({ name }) => name === 'Viewer').map(({ id }) => id);
    await admin.done('access.users.invite', { identifier: PHONE, name: 'Wei', roleIds });
    await using page = await openPage();
    await signInByCode(page, PHONE);
    await home(page);
    await page.getByRole('button', { name: /Wei/ }).waitFor();
  }, 120_000);

  test.skipIf(!hasDirectory)(
    '[e2e-own-provider-3] with the directory: a wrong password says so, the right one makes the person known',
    async () => {
      await using page = await openPage();
      await page.getByRole('button', { name: 'Sign in with the directory' }).click();
      const submit = async (password: string): Promise<void> => {
        await page.getByLabel('Directory username').fill('anna');
        await page.getByLabel('Directory password').fill(password);
        await page.keyboard.press('Enter');
      };
      await submit('wrong');
      await page.getByText('Incorrect account or password').waitFor();
      await submit(PASSWORD);
      await heading(page, 'No role is assigned to you').waitFor();
      expect(await page.getByRole('button', { name: 'Request temporary access' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await identifier(page).waitFor();
    },
    120_000,
  );

  test('profile: names, a password with its strength, a second factor that the next sign-in asks for, and recovery', async () => {
    await using page = await openPage({ permissions: [] });
    await signInByCode(page, addressOf('support'));
    await home(page);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Change names' }).click();
    await page.getByRole('dialog').getByLabel('Nickname').fill('Sammy');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your names were changed.').waitFor();
    await page.locator('main').getByText('Sammy').waitFor();

    await page.getByRole('button', { name: 'Set a password' }).click();
    const dialog = page.getByRole('dialog');
    const typed = dialog.getByLabel('New password', { exact: true });
    await typed.fill('short');
    await dialog.getByText('Weak', { exact: true }).waitFor();
    await typed.fill('Longer and better 1');
    await dialog.getByText('Strong', { exact: true }).waitFor();
    await dialog.getByLabel('Confirm new password').fill('Longer and better 1');
    await dialog.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Your password was changed.').waitFor();

    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await dialog.getByAltText('QR code for your authenticator app').waitFor();
    const [secret = '', recovery = ''] = await dialog
      .locator('[class*="copy-to-clipboard"], [data-testid], span')
      .evaluateAll((elements) =>
        [...new Set(elements.map((element) => element.textContent?.trim() ?? ''))].filter((text) =>
          /^[A-Z2-7]{16,}$|^[\w-]{12,}$/.test(text),
        ),
      );
    await dialog.getByLabel('Six-digit code from the app').fill(totpOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Multi-factor authentication is on.').waitFor();
    await signOut(page, /Sam/);

    await signInByCode(page, addressOf('support'));
    await page.getByLabel('Six-digit code from your authenticator app').waitFor();
    await page.getByRole('button', { name: 'Use the recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await page.keyboard.press('Enter');
    await home(page);
  }, 180_000);

  test('browsers: this one is listed, and another one is signed out from here', async () => {
    await using first = await openPage();
    await signInByCode(first, addressOf('viewer'));
    await home(first);
    await first.goto('/profile');
    await first.getByRole('button', { name: 'Remember this browser' }).click();
    await first.getByText('Current', { exact: true }).first().waitFor();
    await using second = await openPage({ userAgent: 'Mozilla/5.0 Another/1.0' });
    await signInByCode(second, addressOf('viewer'));
    await home(second);
    await second.goto('/profile');
    await second.getByRole('button', { name: 'Sign out:' }).first().waitFor();
    await second.getByRole('button', { name: 'Sign out:' }).first().click();
    // The notification appears after the session has ended and the page behind was loaded again.
    await second.getByText('Signed out', { exact: true }).first().waitFor();
    await first.goto('/devices');
    await first.getByText('Your session ended').or(identifier(first)).first().waitFor();
  }, 180_000);

  test('a QR code is shown, and replaced when it expires', async () => {
    await using page = await openPage();
    await page.getByRole('button', { name: 'Scan a QR code' }).click();
    const picture = page.getByAltText('QR code to scan with your phone');
    await picture.waitFor();
    expect(
      await picture.evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ).toBeGreaterThan(100);
    await page
      .getByText('Scan the QR code with your phone and confirm the sign-in there.')
      .waitFor();
  }, 120_000);

  test('sign-in and profile are accessible in both languages, themes, and densities', async () => {
    for (const language of ['en', 'zh-CN'] as const) {
      await using page = await openPage({ locale: language, bypassCSP: true });
      await page.locator('.si-others button').first().waitFor();
      for (const look of allLooks.filter((each) => each.language === language)) {
        await putOn(page, look);
        expect(await findViolations(page)).toEqual([]);
      }
      await signInByCode(page, addressOf('auditor'));
      await page.locator('#top-bar').waitFor();
      await page.goto('/profile');
      await page.locator('main table').nth(1).waitFor();
      await page.locator('.dp-portrait').waitFor();
      for (const look of allLooks.filter((each) => each.language === language)) {
        await putOn(page, look);
        expect(await findViolations(page)).toEqual([]);
      }
    }
  }, 240_000);
});
