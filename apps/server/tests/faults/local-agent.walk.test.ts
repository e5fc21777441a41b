import { afterAll, beforeAll, expect, test } from 'vitest';
import { PortalPerson, toldOnce } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { slowScript } from '../support/slow-script.ts';

const LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let admin: PortalPerson;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare(true));
  await portal.startServer();
  admin = await PortalPerson.signIn(portal.url);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'has the true result once after the next start when a server with its own agent gets %s during a command',
  async (signal) => {
    const deviceId = await admin.untilOnline(portal.localAgent);
    const script = slowScript(portal.dataDir, `with-${signal}`, 5);
    const sent = await admin.runShell(deviceId, script.text);
    await admin.untilOutput(sent, script.middle);
    const askedAt = performance.now();
    await portal.server.end(signal);
    expect(performance.now() - askedAt).toBeLessThan(STOP_LIMIT_MS);
    await portal.startServer();
    const ended = await admin.untilEnded(sent);
    expect(ended).toMatchObject({ state: 'Failed', responseCode: 5, attempt: 1 });
    expect(ended.stdout.text).toBe(script.output);
    expect(await script.countRuns()).toBe(1);
    expect(await admin.countTold(sent)).toEqual(toldOnce);
  },
  LIMIT_MS,
);
