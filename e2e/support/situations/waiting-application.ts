import type { Page } from 'playwright-core';

const VALID_MS = 8 * 60_000;

interface Waiting {
  readonly userCode: string;
  readonly untilMs: number;
}

/** By origin: an address has few codes, and a test takes many pictures of the same page. */
const waiting = new Map<string, Waiting>();

/** The code of an application that waits for its approval. */
export async function waitingUserCode(page: Page): Promise<string> {
  const { origin } = new URL(page.url());
  const known = waiting.get(origin);
  if (known !== undefined && known.untilMs > Date.now()) return known.userCode;
  const reply = await page.request.post('/oauth/device-authorization', {
    form: { client_id: 'deviceportal-cli', scope: 'devices:read commands:read' },
  });
  const { user_code: userCode } = (await reply.json()) as { readonly user_code: string };
  waiting.set(origin, { userCode, untilMs: Date.now() + VALID_MS });
  return userCode;
}
