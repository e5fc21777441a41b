import type { Locator, Page } from 'playwright-core';
import type { PageErrors } from './page-errors.ts';
import { codeField, readCode } from './sign-in.ts';

/** The dialog that asks for a fresh second step. */
export const stepUpDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^(Confirm your identity|身份确认)$/ });

/** Confirms by a code in every such dialog of a page, for tests that are about something else. */
export async function answerStepUps(
  page: Page,
  { troubles, portalUrl }: { readonly troubles?: PageErrors; readonly portalUrl?: string } = {},
): Promise<void> {
  const dialog = stepUpDialog(page);
  while (!page.isClosed()) {
    try {
      await dialog.waitFor({ timeout: 0 });
      // The browser logs the rejected call, which is repeated.
      troubles?.expect(/status of 403/);
      await confirmByCode(page, portalUrl);
      await dialog.waitFor({ state: 'hidden' });
    } catch {
      // The page was closed, or the test navigated.
    }
  }
}

/** Requests a code in the open dialog, and enters it. */
export async function confirmByCode(page: Page, portalUrl?: string): Promise<void> {
  const dialog = stepUpDialog(page);
  const askedAt = new Date(Date.now() - 1_000);
  await dialog.getByRole('button', { name: '@' }).click();
  const field = dialog.locator(codeField(page));
  await field.waitFor();
  await field.fill(await readCode(await emailOf(page), askedAt, portalUrl));
}

/** The email address in the ID token of the page's session. */
function emailOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    for (const text of Object.values({ ...localStorage })) {
      for (const [, claims = ''] of String(text).matchAll(/\w+\.([\w-]+)\.[\w-]{20,}/g)) {
        try {
          const decoded = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
          const { email } = decoded as { readonly email?: string };
          if (email !== undefined) return email;
        } catch {
          // Not a token.
        }
      }
    }
    return '';
  });
}
