import type { Browser, Page } from 'playwright-core';

const ADMINISTRATOR = 'admin@deviceportal.local';
const STEP_LIMIT_MS = 60_000;

/** The portal in both languages, with the same user signed in. */
export interface Screens {
  readonly english: Page;
  readonly chinese: Page;
}

export async function openScreens(
  browser: Browser,
  url: string,
  user = ADMINISTRATOR,
): Promise<Screens> {
  return {
    english: await openPage(browser, { url, user, locale: 'en' }),
    chinese: await openPage(browser, { url, user, locale: 'zh-CN' }),
  };
}

async function openPage(
  browser: Browser,
  { url, user, locale }: { readonly url: string; readonly user: string; readonly locale: string },
): Promise<Page> {
  const page = await browser.newPage({
    baseURL: url,
    locale,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(STEP_LIMIT_MS);
  await page.goto('/signin?next=/devices');
  await page.locator('input[autocomplete^="username"]').fill(user);
  await page.keyboard.press('Enter');
  const code = page.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(user)}`);
  const [newest] = (await reply.json()) as { code: string }[];
  await code.fill(newest?.code ?? '');
  await page.locator('#top-bar').waitFor();
  return page;
}
