import type { RoleRow } from '@deviceportal/contract/access';
import { signInToPortal, type PortalClient } from '../../bench/support/portal-client.ts';
import { keepScreenshots, showAndKeep } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

const ADMINISTRATOR = 'admin@deviceportal.local';
const CLIENT = 'deviceportal-cli';
const PERMISSIONS = 'devices:read people:read commands:read documents:read cases:read';

/** Tokens of applications, the reference of the API, and the approval of a sign-in on the command line. */
export async function takeApi(screens: Screens): Promise<void> {
  const url = new URL(screens.english.url()).origin;
  await createTokens(await signInToPortal(url, ADMINISTRATOR));
  await keepScreenshots(screens, 'api-tokens', async (page) => {
    await page.goto('/uam/api-tokens');
    await page.getByText('inventory-sync').first().waitFor();
  });
  await keepScreenshots(screens, 'sign-in-approval', async (page) => {
    await page.goto(`/activate?user_code=${await startSignIn(url)}`);
    await page.getByRole('button', { name: /^(?:Continue|继续)$/ }).click();
    await page.getByRole('button', { name: /^(?:Approve|批准)$/ }).waitFor();
  });
  // The page exists in English only; each language has its own files.
  const { english } = screens;
  const size = english.viewportSize();
  await english.setViewportSize({ width: 1_200, height: 900 });
  for (const file of ['api-reference.png', 'api-reference.zh.png']) {
    await showAndKeep(english, file, async (page) => {
      await page.goto('/api/docs');
      await page.getByText('/devices/{device}', { exact: true }).click();
      await page.getByRole('button', { name: 'Try it out' }).waitFor();
      await page.locator('#operations-tag-Devices').scrollIntoViewIfNeeded();
    });
  }
  if (size !== null) await english.setViewportSize(size);
}

async function createTokens(admin: PortalClient): Promise<void> {
  const roles = (await admin.query('access.roles.list')) as RoleRow[];
  for (const [name, role] of [
    ['inventory-sync', 'Viewer'],
    ['ticket-bridge', 'Support'],
  ] as const) {
    const found = roles.find((each) => each.name === role);
    await admin.mutate('apiTokens.createService', { name, roleIds: [found?.id] });
  }
}

async function startSignIn(url: string): Promise<string> {
  const reply = await fetch(`${url}/oauth/device-authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT, scope: PERMISSIONS }),
  });
  const { user_code: code } = (await reply.json()) as { user_code: string };
  return code;
}
