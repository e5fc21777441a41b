import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPostgresProcess } from '../../src/platform/database/postmaster-file.ts';
import { until } from '../support/gateway-fixture.ts';
import { PortalPerson, toldOnce } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/programs/portal-programs.ts';
import { slowScript } from '../support/slow-script.ts';

const LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let admin: PortalPerson;
let agent: AgentProgram;
let deviceId: string;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  admin = await PortalPerson.signIn(portal.url);
  agent = portal.startAgent('one', await admin.createClaim('one'));
  deviceId = await admin.untilOnline(agent);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

/** Starts a slow script and resolves when it is halfway through. */
async function runSlowScript(name: string, exitCode = 0) {
  const script = slowScript(portal.dataDir, name, exitCode);
  const sent = await admin.runShell(deviceId, script.text);
  await admin.untilOutput(sent, script.middle);
  return { script, sent };
}

/** The true result, once: state, complete output, one run of the script, one event for each step in the audit trail. */
async function expectTrueResult(
  { script, sent }: Awaited<ReturnType<typeof runSlowScript>>,
  exitCode = 0,
): Promise<void> {
  const ended = await admin.untilEnded(sent);
  expect(ended).toMatchObject({
    state: exitCode === 0 ? 'Success' : 'Failed',
    responseCode: exitCode,
    attempt: 1,
  });
  expect(ended.stdout.text).toBe(script.output);
  expect(await script.countRuns()).toBe(1);
  expect(await admin.countTold(sent)).toEqual(toldOnce);
}

test(
  'delivers the true result once when the server is killed during a command',
  async () => {
    const command = await runSlowScript('server-killed');
    const databasePid = await portal.databasePid();
    await portal.server.end('SIGKILL');
    await portal.startServer();
    expect(await portal.databasePid()).toBe(databasePid);
    await expectTrueResult(command);
  },
  LIMIT_MS,
);

test(
  'lets the script continue when the agent is killed, and the next agent reports it once',
  async () => {
    const command = await runSlowScript('agent-killed');
    await agent.program.end('SIGKILL');
    agent.program.start();
    await expectTrueResult(command);
  },
  LIMIT_MS,
);

test(
  'restarts a killed database during a command and loses nothing',
  async () => {
    const command = await runSlowScript('database-killed', 7);
    const killedPid = await portal.databasePid();
    const sessions = await portal.sql<{ pid: number }>('select pid from pg_stat_activity');
    for (const pid of [killedPid, ...sessions.map((row) => row.pid)]) killIfAlive(pid);
    // Requests in the meantime fail with their real cause, never as an ended session, which would sign users out.
    const codes = new Set<number | undefined>();
    await until(async () => {
      codes.add((await admin.ask('devices.get', { device: deviceId })).code);
      const pid = await portal.databasePid().catch(() => killedPid);
      return pid !== killedPid && (await fetch(`${portal.url}/readyz`)).ok;
    }, 20_000);
    expect([...codes].filter((code) => code !== undefined && code !== -1 && code !== 2000)).toEqual(
      [],
    );
    expect(await isPostgresProcess(await portal.databasePid())).toBe(true);
    await expectTrueResult(command, 7);
  },
  LIMIT_MS,
);

test(
  'drains within 10 s after SIGTERM during a command, and the next server has the true result',
  async () => {
    const command = await runSlowScript('server-stopped');
    const askedAt = performance.now();
    expect(await portal.server.end('SIGTERM'), portal.server.output.slice(-2_000)).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(STOP_LIMIT_MS);
    expect(portal.server.output).toContain('Stopped.');
    await expect(portal.databasePid()).rejects.toThrow('does not run');
    await portal.startServer();
    await expectTrueResult(command);
  },
  LIMIT_MS,
);

/** The session that made the request has already ended. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
