import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createParameterVault } from '../../src/commands/parameters/parameter-vault.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createCommandFixture, runInput, viewerWith } from '../support/command-fixture.ts';
import {
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';
import { agentProgram, type Program } from '../support/programs/portal-programs.ts';
import { testRunSigning } from '../support/run-signing.ts';
import { slowScript } from '../support/slow-script.ts';

const LIMIT_MS = 60_000;
const resources = new AsyncDisposableStack();
const vault = createParameterVault(new Uint8Array(32));
const signing = testRunSigning();
let setup: GatewayFixture;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dp-crash-'));
  resources.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  setup = resources.use(await openGatewayFixture({ vault, signing }));
});
afterAll(() => resources.disposeAsync());

test(
  "reconnects devices and delivers the result once when the broker's thread ends during a command",
  async () => {
    const device = await enrollTestDevice(setup);
    await startAgentAs(device);
    await until(async () => (await connectivityOf(device)) === 'online', 20_000);
    const script = slowScript(directory, 'broker-crashed');
    const runId = await runShell(device, script.text);
    await until(async () => (await outputOf(runId)).includes(script.middle), 15_000);

    await setup.broker.crash();
    await until(async () => (await connectivityOf(device)) === 'unknown');
    await until(async () => (await invocationOf(runId))?.ended_at, 40_000);

    expect(await invocationOf(runId)).toMatchObject({ state: 'Success', response_code: 0 });
    expect(await outputOf(runId)).toBe(script.output);
    expect(await script.countRuns()).toBe(1);
    expect(await connectivityOf(device)).toBe('online');
    const steps = await rowsOf<{ type: string }>(
      setup.database,
      'select type from audit_event where run_id = $1 order by type',
      [runId],
    );
    expect(steps.map(({ type }) => type)).toEqual(
      ['finished', 'requested', 'sent', 'started'].map((step) => `command.${step}`),
    );
    const gaps = await rowsOf(
      setup.database,
      "select from audit_event where type = 'device.journal-gap'",
    );
    expect(gaps).toEqual([]);
  },
  LIMIT_MS,
);

/** The agent as a separate process, already enrolled. */
async function startAgentAs(device: EnrolledDevice): Promise<Program> {
  const stateDir = join(directory, 'agent');
  await mkdir(stateDir);
  const identity = {
    deviceId: device.deviceId,
    instanceId: device.instanceId,
    brokerUrl: `mqtts://localhost:${setup.broker.tlsPort}`,
    serverUrl: 'http://localhost:1/',
    certificate: device.certificate,
    privateKey: device.key,
    authorities: setup.authority.authorities,
    pendingPrivateKey: null,
  };
  await writeFile(join(stateDir, 'identity.json'), JSON.stringify(identity));
  const agent = agentProgram(['--state-dir', stateDir]);
  resources.use(agent);
  agent.start();
  return agent;
}

async function runShell({ deviceId }: EnrolledDevice, script: string): Promise<string> {
  const { deps } = await createCommandFixture(setup.database);
  const run = await runCommand(
    { ...deps, signing, vault, changes: setup.changes },
    viewerWith('Administrator'),
    runInput({
      command: 'shell',
      target: { kind: 'devices', deviceIds: [deviceId] },
      parameters: { script },
    }),
  );
  return run.id;
}

async function connectivityOf({ deviceId }: EnrolledDevice): Promise<string | undefined> {
  const [row] = await rowsOf<{ connectivity: string }>(
    setup.database,
    'select connectivity from device_status where device_id = $1',
    [deviceId],
  );
  return row?.connectivity;
}

async function invocationOf(runId: string) {
  const [row] = await rowsOf<{ state: string; response_code: number; ended_at: Date | null }>(
    setup.database,
    'select state, response_code, ended_at from invocation where run_id = $1',
    [runId],
  );
  return row;
}

async function outputOf(runId: string): Promise<string> {
  const pieces = await rowsOf<{ text: string }>(
    setup.database,
    `select text from invocation_output join invocation on invocation.id = invocation_id
     where run_id = $1 and stream = 'stdout' order by "offset"`,
    [runId],
  );
  return pieces.map(({ text }) => text).join('');
}
