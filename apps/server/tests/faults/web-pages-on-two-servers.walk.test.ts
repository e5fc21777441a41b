import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import type {
  DeviceWebPages,
  OpenedWebPage,
  WebPageLink,
  WebPageSessionSummary,
} from '@deviceportal/contract/web-pages';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import { askPool, signInForTokens } from '../support/portal-api.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { until } from '../support/until.ts';
import { openDeviceWebServer, type DeviceWebServer } from '../web-pages/device-web-server.ts';
import { askPage, enterBy, type OpenPage } from '../web-pages/web-page-fixture.ts';

const LIMIT_MS = 180_000;
const USER = 'operator@deviceportal.local';
const resources = new AsyncDisposableStack();
/** Has the connection of the device. */
let near: PortalPrograms;
/** Serves no devices. */
let far: PortalPrograms;
let web: DeviceWebServer;
let deviceId = '';

beforeAll(async () => {
  const database = resources.use(await createTestDatabase());
  near = resources.use(await PortalPrograms.prepare());
  far = resources.use(await PortalPrograms.prepareBeside(near));
  web = resources.use(await openDeviceWebServer());
  const settings = { DEVICEPORTAL_DATABASE_URL: database.url };
  await near.startServer(settings);
  await far.startServer({ ...settings, DEVICEPORTAL_ROLES: 'web,worker,identity' });
  const admin = await PortalPerson.signIn(near.url);
  const agent = near.startAgent('kiosk', await admin.createClaim('kiosk'), {
    DEVICEPORTAL_AGENT_WEB_PAGES: `${web.port}=Status`,
  });
  deviceId = await admin.untilOnline(agent);
  await allow(admin);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);
// A failed test leaves no session to the next one.
afterEach(async () => {
  const user = await PortalPerson.signIn(far.url, 'operator');
  const { sessions } = await user.mustAsk<DeviceWebPages>('webPages.list', { deviceId });
  for (const { id, state } of sessions)
    if (state !== 'ended') await user.mustOrder('webPages.end', { sessionId: id });
});

async function allow(admin: PortalPerson): Promise<void> {
  const role = await admin.mustOrder<{ id: string }>('access.roles.create', {
    ...{ name: 'Web pages', permissions: ['web-pages:open'], scope: everywhere },
  });
  const users = await admin.mustAsk<{ rows: { id: string; username: string }[] }>(
    'access.users.list',
    {},
  );
  const user = users.rows.find(({ username }) => username === USER);
  await admin.mustOrder('access.users.changeRoles', { id: user?.id, add: [role.id], remove: [] });
}

const latest = async (user: PortalPerson): Promise<WebPageSessionSummary | undefined> =>
  (await user.mustAsk<DeviceWebPages>('webPages.list', { deviceId })).sessions[0];

/** Opens the page through a server, and follows the link that it gives. */
async function openPage(user: PortalPerson): Promise<{ readonly port: number; page: OpenPage }> {
  const { sessionId } = await user.mustOrder<OpenedWebPage>('webPages.open', {
    ...{ deviceId, port: web.port, reason: 'Check the kiosk' },
  });
  await until(async () => (await latest(user))?.state === 'open', 20_000);
  const { url } = await user.mustOrder<WebPageLink>('webPages.link', { sessionId });
  const port = Number(new URL(url).port);
  return { port, page: await enterBy(url, port) };
}

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

test(
  'a page opened through a server that serves no devices works until its user signs out elsewhere',
  async () => {
    const { IdToken, AccessToken } = await signInForTokens(near.url, USER);
    const user = PortalPerson.signedIn(far.url, IdToken);
    const { port, page } = await openPage(user);
    expect(String((await askPage(port, page)).body)).toContain('style.css');
    const body = 'x'.repeat(1_000_000);
    const saved = await askPage(port, { ...page, path: '/form', method: 'POST', body });
    expect(digest(saved.body)).toBe(digest(`saved ${body}`));

    await askPool(near.url, 'GlobalSignOut', { AccessToken });
    await until(async () => (await askPage(port, page)).status === 410, 10_000);
    const after = await PortalPerson.signIn(near.url, 'operator');
    expect(await latest(after)).toMatchObject({ state: 'ended', endReason: 'permission-lost' });
  },
  LIMIT_MS,
);

test(
  'a page opened through one server is ended through the other one, in the middle of a response',
  async () => {
    const user = await PortalPerson.signIn(far.url, 'operator');
    const { port, page } = await openPage(user);
    const endless = askPage(port, { ...page, path: '/endless' });
    await until(() => web.open() > 0);
    const here = await PortalPerson.signIn(near.url, 'operator');
    await here.mustOrder('webPages.end', { sessionId: (await latest(here))?.id });
    await expect(endless).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    await until(() => web.open() === 0, 10_000);
  },
  LIMIT_MS,
);

test(
  'a page ends with a reason when the server with the connection of its device is killed',
  async () => {
    const user = await PortalPerson.signIn(far.url, 'operator');
    const { port, page } = await openPage(user);
    await near.server.end('SIGKILL');
    await until(async () => (await askPage(port, page)).status === 410, 60_000);
    expect(await latest(user)).toMatchObject({ state: 'ended', endReason: 'device-lost' });
  },
  LIMIT_MS,
);
