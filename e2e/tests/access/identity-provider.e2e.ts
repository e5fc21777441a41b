import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { addressOf, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

/** The value in the dialog that shows a secret once. */
async function shownOnce(page: Page, label: string): Promise<string> {
  const pair = page.getByRole('dialog').locator('dl > div, dl').filter({ hasText: label }).last();
  return ((await pair.locator('dd').last().textContent()) ?? '').trim();
}

test('an application is created, its secret is shown once, and a user signs in to it', async () => {
  const name = `Shop ${Date.now().toString(36)}`;
  // A public page serves as the application’s callback.
  const callback = `${inject('portalUrl')}/outbox`;
  const page = await testBrowser.open('admin', '/uam/provider');
  testBrowser.expectErrors(page, /400|Some fields are not valid|invalid parameters/);
  await page.getByRole('button', { name: 'Create application' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Redirect URIs').fill('shop.example/callback');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/Enter a complete URL on each line/).waitFor();
  await dialog.getByLabel('Redirect URIs').fill(callback);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The secret is shown only once.').waitFor();
  const appId = await shownOnce(page, 'Application ID');
  const secret = await shownOnce(page, 'Secret');
  await page.getByRole('button', { name: 'I saved the secret' }).click();
  await rowOf(page, name).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);

  const issuer = `${inject('portalUrl')}/idp/oidc`;
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URL(`${issuer}/auth`);
  asked.search = new URLSearchParams({
    client_id: appId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid email',
    state: 'here',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const person = await testBrowser.openSignedOut('/outbox');
  await person.goto(asked.href);
  await person.getByText(`to continue to ${name}`).waitFor();
  const askedAt = new Date(Date.now() - 1_000);
  await person.locator('input[autocomplete^="username"]').first().fill(addressOf('support'));
  await person.keyboard.press('Enter');
  const code = person.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  await code.fill(await readCode(addressOf('support'), askedAt));
  await person.keyboard.press('Enter');
  await person.waitForURL((url) => url.searchParams.has('code'));
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(person.url()).searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    }),
  });
  const { id_token: idToken = '' } = (await answer.json()) as { id_token?: string };
  const claims = JSON.parse(
    Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString(),
  ) as Record<string, unknown>;
  expect(claims).toMatchObject({ aud: appId, email: addressOf('support') });

  await rowOf(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await page.getByText(`${name} was removed.`).waitFor();
  await rowOf(page, name).waitFor({ state: 'detached' });
}, 120_000);

test('departments, roles, access keys, and SAML services can be opened by their address', async () => {
  const suffix = Date.now().toString(36);
  const page = await testBrowser.open('admin', '/uam/provider?tab=departments');
  testBrowser.expectErrors(page, /400|No account has this username|This is not the metadata/);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(`Corp ${suffix}`);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: `Corp ${suffix}` }).click();
  await heading(page, 'Identity provider').waitFor();
  await page.getByRole('button', { name: 'Add member' }).click();
  await dialog.getByLabel('User', { exact: true }).fill('nobody@nowhere.example');
  await page.keyboard.press('Enter');
  await dialog.getByText('No account has this email address, phone number, or username.').waitFor();
  await dialog.getByLabel('User', { exact: true }).fill(addressOf('viewer'));
  await page.keyboard.press('Enter');
  await rowOf(page, addressOf('viewer')).waitFor();
  await page.reload();
  await rowOf(page, addressOf('viewer')).waitFor();

  await page.getByRole('tab', { name: 'Application roles' }).click();
  await page.getByRole('button', { name: 'Create application role' }).click();
  await dialog.getByLabel('Code', { exact: true }).fill(`clerk-${suffix}`);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: `clerk-${suffix}` }).waitFor();

  await page.getByRole('tab', { name: 'Access keys' }).click();
  await page.getByRole('button', { name: 'Create access key' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(`Night job ${suffix}`);
  await dialog.getByRole('button', { name: /Choose an application/ }).click();
  await page.getByRole('option', { name: /Device Portal/ }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I saved the secret' }).click();
  await page.getByRole('button', { name: `Revoke Night job ${suffix}` }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await rowOf(page, `Night job ${suffix}`)
    .getByText(/Revoked/)
    .waitFor();

  await page.goto('/uam/provider?tab=saml');
  await page.getByRole('button', { name: 'Register service' }).click();
  await dialog.getByLabel('Service provider metadata').fill('<not-metadata/>');
  await dialog.getByRole('button', { name: 'Fill in fields' }).click();
  await dialog.getByText(/Enter the metadata of a SAML service provider/).waitFor();
  await dialog.getByLabel('Service provider metadata').fill(
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:shop:${suffix}">
       <SPSSODescriptor><AssertionConsumerService Location="https://shop.example/acs" index="0"
         Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"/></SPSSODescriptor></EntityDescriptor>`,
  );
  await dialog.getByRole('button', { name: 'Fill in fields' }).click();
  await expect.poll(() => dialog.getByLabel('Entity ID').inputValue()).toBe(`urn:shop:${suffix}`);
  await dialog.getByRole('button', { name: /Choose an application/ }).click();
  await page.getByRole('option', { name: /Device Portal/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, `urn:shop:${suffix}`).getByText('Not signed').waitFor();
  await page.getByRole('button', { name: `Actions for urn:shop:${suffix}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await rowOf(page, `urn:shop:${suffix}`).waitFor({ state: 'detached' });
}, 120_000);

test('users without the permission see no link to the area', async () => {
  const page = await testBrowser.open('support', '/');
  expect(await page.getByRole('link', { name: 'Identity provider', exact: true }).count()).toBe(0);
  await page.goto('/uam/provider');
  await page.getByText(/You don’t have access to Identity provider/).waitFor();
});
