import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { allLooks, putOn } from '../../support/looks.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { addVirtualAuthenticator } from '../../support/virtual-authenticator.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();

async function enterCode(page: Page, email: string): Promise<void> {
  const askedAt = await askForCode(page, email);
  await codeField(page).fill(await readCode(email, askedAt));
}

async function invite(): Promise<string> {
  const admin = await PortalClient.signIn('admin');
  const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  const roleId = roles.find(({ name }) => name === 'Viewer')?.id ?? '';
  const identifier = `passkey-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await admin.order('access.users.invite', { identifier, roleIds: [roleId], language: 'en' });
  return identifier;
}

const signOut = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('/signin?next=%2Fprofile');
};

test('a user adds a passkey, signs in with a code and the passkey, with a recovery code, and with the passkey alone', async () => {
  const email = await invite();
  const page = await testBrowser.openSignedOut('/signin?next=%2Fprofile');
  testBrowser.expectErrors(page, /400/);
  const authenticator = await addVirtualAuthenticator(page);
  await enterCode(page, email);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.waitFor();
  const recovery = await codes.getByRole('listitem').allTextContents();
  expect(recovery).toHaveLength(10);
  expect(await authenticator.countCredentials()).toBe(1);
  await codes.getByRole('button', { name: 'I saved the codes' }).click();
  await page.getByText('10 recovery codes left.').waitFor();
  await page.getByRole('button', { name: /^Rename / }).click();
  const rename = page.getByRole('dialog');
  await rename.getByRole('textbox').fill('Work laptop');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'Remove Work laptop' }).waitFor();
  for (const look of allLooks) {
    await putOn(page, look);
    expect(await findViolations(page)).toEqual([]);
  }

  // The passkey after the code.
  await authenticator.setPresent(false);
  await signOut(page);
  await enterCode(page, email);
  await page.getByText('One more step: confirm with your passkey.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await authenticator.setPresent(true);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await heading(page, 'My profile').waitFor();

  // A recovery code in its place, once.
  await authenticator.setPresent(false);
  await signOut(page);
  await enterCode(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('0000-0000-0000-0000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('That did not work. 2 attempts left.').waitFor();
  await page.getByLabel('Recovery code').fill(recovery[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'My profile').waitFor();
  await page.getByText('9 recovery codes left.').waitFor();

  // In place of the code, only when the user allows it.
  await signOut(page);
  const alone = page.getByRole('button', { name: 'Sign in with a passkey' });
  await authenticator.setPresent(true);
  await alone.click();
  await page.getByText('This passkey can’t sign you in.').waitFor();
  await authenticator.setPresent(false);
  await enterCode(page, email);
  await authenticator.setPresent(true);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await page.getByText('Sign in without a code').click();
  await expect.poll(() => page.getByLabel('Sign in without a code').isChecked()).toBe(true);
  await signOut(page);
  await alone.click();
  await heading(page, 'My profile').waitFor();

  // Chosen in the field for the username: the authenticator confirms without a click on a button.
  await signOut(page);
  await page.locator('input[autocomplete="username webauthn"]').waitFor();
  await expect
    .poll(
      async () => {
        // Until what offers passkeys is loaded, the page does not see its user.
        await page.mouse.move(100 + Math.random() * 200, 200);
        return heading(page, 'My profile').isVisible();
      },
      { timeout: 20_000 },
    )
    .toBe(true);

  // Without a passkey, the code is sufficient again.
  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No passkeys').waitFor();
  await signOut(page);
  await enterCode(page, email);
  await heading(page, 'My profile').waitFor();
});
