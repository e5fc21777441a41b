import type { Page } from 'playwright-core';
import type { Look } from './looks.ts';
import type { PortalClient } from './portal-client.ts';
import { askForCode, codeField, readCode } from './sign-in.ts';
import type { TestBrowser } from './test-browser.ts';

/**
 * A new user with this role, signed in by a code in a separate browser, in the language of the
 * invitation.
 */
export async function signInNewUser(
  testBrowser: TestBrowser,
  admin: PortalClient,
  { role, look }: { readonly role: string; readonly look: Look },
): Promise<Page> {
  const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  const roleId = roles.find(({ name }) => name === role)?.id ?? '';
  const identifier = `colleague-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const { language } = look;
  await admin.order('access.users.invite', { identifier, roleIds: [roleId], language });
  const page = await testBrowser.openSignedOut('/signin?next=%2F', { appearance: look });
  const askedAt = await askForCode(page, identifier);
  await codeField(page).fill(await readCode(identifier, askedAt));
  await page.locator('#top-bar').waitFor();
  return page;
}
