import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** A fresh second step of the page's session, if the portal asks for one before `opened` appears. */
export async function confirmIdentity(
  page: Page,
  { url, user, opened }: { readonly url: string; readonly user: string; readonly opened: Locator },
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^(?:Confirm your identity|身份确认)$/ });
  await dialog.or(opened).first().waitFor();
  if (!(await dialog.isVisible())) return;
  const askedAtMs = Date.now() - 1_000;
  await dialog.getByRole('button', { name: '@' }).click();
  const field = dialog.locator('input[autocomplete="one-time-code"]');
  await field.waitFor();
  for (;;) {
    const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(user)}`);
    const [newest] = (await reply.json()) as { code: string; sentAt: string }[];
    if (newest && Date.parse(newest.sentAt) >= askedAtMs) return field.fill(newest.code);
    await setTimeout(100);
  }
}
