import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();
const home = (page: Page) => heading(page, 'Home').waitFor();
const field = (page: Page) => page.getByLabel('Username, email, or phone number');
const wrongOf = (code: string): string => (code === '111111' ? '222222' : '111111');
const operationOf = (headers: Record<string, string>): string =>
  headers['x-amz-target']?.split('.').at(-1) ?? '';

describe('the code', () => {
  test('after three wrong codes a new one is offered, with the identifier still filled in', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    const askedAt = await askForCode(page, addressOf('viewer'));
    const wrong = wrongOf(await readCode(addressOf('viewer'), askedAt));
    await codeField(page).fill(wrong);
    await page.getByText('2 attempts left.').waitFor();
    await codeField(page).fill(wrong);
    await page.getByText('1 attempt left.').waitFor();
    await codeField(page).fill(wrong);
    await page.getByText('Too many wrong codes were entered.').waitFor();
    expect(await field(page).inputValue()).toBe(addressOf('viewer'));
    const again = page.getByRole('button', { name: 'Send a new code' });
    expect(await again.evaluate((button) => button === document.activeElement)).toBe(true);
    const sentAt = new Date();
    await page.keyboard.press('Enter');
    await codeField(page).fill(await readCode(addressOf('viewer'), sentAt));
    await home(page);
  });

  test('an expired code is reported, accepts no digits, and one press sends a new one', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    await page.clock.install();
    await page.reload();
    await askForCode(page, addressOf('viewer'));
    await page.clock.fastForward(181_000);
    await page.getByText('This code has expired.').waitFor();
    expect(await codeField(page).isDisabled()).toBe(true);
    const sentAt = new Date();
    await page.getByRole('button', { name: 'Send a new code' }).press('Enter');
    const code = await readCode(addressOf('viewer'), sentAt);
    expect(code).toMatch(/^\d{6}$/);
  });

  test('after half a minute a code can be sent again, and the previous one is invalid', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    await page.clock.install();
    await page.reload();
    const askedAt = await askForCode(page, addressOf('viewer'));
    const first = await readCode(addressOf('viewer'), askedAt);
    const resend = page.locator('.si-resend');
    expect(await resend.isDisabled()).toBe(true);
    await page.clock.fastForward(31_000);
    const sentAt = new Date();
    await page.getByRole('button', { name: 'Resend code', exact: true }).click();
    await page.getByText('The previous code no longer works.').waitFor();
    const second = await readCode(addressOf('viewer'), sentAt);
    if (second !== first) {
      await codeField(page).fill(first);
      await page.getByText('That code isn’t right.').waitFor();
    }
    await codeField(page).fill(second);
    await home(page);
  });

  test('a reload continues with the remaining attempts', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    const askedAt = await askForCode(page, addressOf('viewer'));
    const code = await readCode(addressOf('viewer'), askedAt);
    await codeField(page).fill(wrongOf(code));
    await page.getByText('2 attempts left.').waitFor();
    await page.reload();
    await codeField(page).fill(wrongOf(code));
    await page.getByText('1 attempt left.').waitFor();
    await page.reload();
    await codeField(page).fill(code);
    await home(page);
  });

  test('a pasted sentence is accepted, and without a network the input is kept', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /ERR_INTERNET_DISCONNECTED|400/);
    await field(page).fill(addressOf('viewer'));
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('Connect to the network, then try again.').waitFor();
    await page.context().setOffline(false);
    const askedAt = new Date();
    await page.getByRole('button', { name: 'Send code' }).click();
    const code = await readCode(addressOf('viewer'), askedAt);
    await codeField(page).evaluate(
      (input, text) => {
        input.focus();
        document.execCommand('insertText', false, text);
      },
      `Your code is ${code.slice(0, 3)}-${code.slice(3)}.`,
    );
    await home(page);
  });

  test('the identifier is remembered on this device only if requested', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    await askForCode(page, addressOf('viewer'));
    await page.getByRole('button', { name: 'Not you? Change' }).click();
    await page.goto('/signin');
    expect(await field(page).inputValue()).toBe('');
    await page.getByLabel('Remember me on this device').check();
    await askForCode(page, addressOf('viewer'));
    await page.getByRole('button', { name: 'Not you? Change' }).click();
    await page.goto('/signin');
    expect(await field(page).inputValue()).toBe(addressOf('viewer'));
  });
});

describe('several tabs', () => {
  const signInAs = async (page: Page, person: 'viewer' | 'operator'): Promise<void> => {
    const askedAt = await askForCode(page, addressOf(person));
    await codeField(page).fill(await readCode(addressOf(person), askedAt));
    await home(page);
  };

  test('signing in in one tab signs in the other waiting tabs', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    const waiting = await testBrowser.openTab(page, '/signin?next=%2Fdocuments');
    await field(waiting).waitFor();
    await signInAs(page, 'viewer');
    await heading(waiting, 'Documents').waitFor();
  });

  test('[e2e-tabs-2] after a sign-in as another user, no tab shows the first user’s data', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    await signInAs(page, 'viewer');
    const other = await testBrowser.openTab(page, '/documents');
    // A request during the sign-out in another tab is rejected and logged.
    testBrowser.expectErrors(other, /invalid session/);
    await heading(other, 'Documents').waitFor();
    await page.getByRole('button', { name: /Viewer/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await field(page).waitFor();
    await field(other).waitFor();
    await signInAs(other, 'operator');
    await home(page);
    for (const each of [page, other]) {
      await each.getByRole('button', { name: /Operator/ }).waitFor();
      expect(await each.getByRole('button', { name: /Viewer/ }).count()).toBe(0);
    }
  });

  test('[e2e-tabs-3] signing out deletes everything although the call fails', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /ERR_FAILED/);
    await signInAs(page, 'viewer');
    await page.route('**/identity', (route) =>
      operationOf(route.request().headers()) === 'RevokeToken' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: /Viewer/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await field(page).waitFor();
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    expect(kept).not.toMatch(/Token|deviceportal\.(federated|subject)/);
    await page.goto('/devices');
    await field(page).waitFor();
  });
});

describe('the Amplify library', () => {
  test('signs in with its published version and its own requests', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    const calls: { operation: string; agent: string }[] = [];
    page.on('request', (request) => {
      const headers = request.headers();
      const operation = operationOf(headers);
      if (operation) calls.push({ operation, agent: headers['x-amz-user-agent'] ?? '' });
    });
    const askedAt = await askForCode(page, addressOf('viewer'));
    await codeField(page).fill(await readCode(addressOf('viewer'), askedAt));
    await home(page);
    const own = calls.filter(({ agent }) => /^aws-amplify\/6\.\d+\.\d+\b/.test(agent));
    expect(own.map(({ operation }) => operation)).toEqual([
      'InitiateAuth',
      'RespondToAuthChallenge',
    ]);
  });
});
