import type { Page } from 'playwright-core';

/** Changes the responses of a procedure for the portal, to simulate another fleet. */
async function changeAnswers(
  page: Page,
  procedure: string,
  [from, to]: readonly [RegExp, string],
): Promise<void> {
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/trpc/') && pathname.includes(procedure),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(from, to);
      await route.fulfill({ response, body });
    },
  );
}

/** Simulates a fleet without agents that check signatures. */
export async function withoutSignatureChecks(page: Page): Promise<void> {
  await changeAnswers(page, 'devices.get', [
    /"checksSignatures":true/g,
    '"checksSignatures":false',
  ]);
  for (const procedure of ['commands.previewTarget', 'airBlast.get'])
    await changeAnswers(page, procedure, [/"unchecked":\d+/g, '"unchecked":3']);
}
