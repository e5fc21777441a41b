import type { Locator, Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

interface OutboxMessage {
  readonly code: string | null;
  readonly sentAt: string;
}

export type BuiltinPerson = 'admin' | 'operator' | 'support' | 'auditor' | 'viewer';
export const addressOf = (person: BuiltinPerson): string => `${person}@deviceportal.local`;

/** The newest code sent to an address after a time. */
export async function readCode(
  to: string,
  after: Date,
  portalUrl = inject('portalUrl'),
): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const reply = await fetch(`${portalUrl}/outbox/messages?to=${encodeURIComponent(to)}`);
    const messages = (await reply.json()) as OutboxMessage[];
    const newest = messages[0];
    if (newest?.code && new Date(newest.sentAt) >= after) return newest.code;
    await sleep(100);
  }
  throw new Error(`no code reached ${to}`);
}

/** Signs in with identifier and code, then opens `next`. */
export async function signIn(page: Page, person: BuiltinPerson, next = '/'): Promise<void> {
  await page.goto(`/signin?next=${encodeURIComponent(next)}`);
  await answerSignIn(page, person);
}

/** The same on a page that already shows the sign-in. */
export async function answerSignIn(page: Page, person: BuiltinPerson): Promise<void> {
  const askedAt = await askForCode(page, addressOf(person));
  await codeField(page).fill(await readCode(addressOf(person), askedAt));
  await page.locator('#top-bar').waitFor();
}

/** Resolves when the code was requested and the page waits for it. */
export async function askForCode(page: Page, identifier: string): Promise<Date> {
  const askedAt = new Date(Date.now() - 1_000);
  await identifierField(page).fill(identifier);
  await page.keyboard.press('Enter');
  await codeField(page).waitFor();
  return askedAt;
}

export const identifierField = (page: Page): Locator =>
  page.locator('input[autocomplete^="username"]');

export const codeField = (page: Page): Locator =>
  page.locator('input[autocomplete="one-time-code"]');
