import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent, type RunningAgent } from '@deviceportal/agent/run-agent';
import type { RunDetail } from '@deviceportal/contract/runs';
import { runCommand } from '../../src/commands/run-command.ts';
import {
  createCommandFixture,
  runInput,
  viewerWith,
  type CommandFixture,
} from './command-fixture.ts';
import {
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type GatewayFixture,
} from './gateway-fixture.ts';
import type { RunKeys } from '../../src/commands/signing/run-signing.ts';
import { testRunSigning } from './run-signing.ts';
import { createParameterVault } from '../../src/commands/parameters/parameter-vault.ts';

/** The real agent on the real gateway, and the effects of its commands. */
export interface RealAgentFixture extends AsyncDisposable {
  readonly setup: GatewayFixture;
  readonly fixture: CommandFixture;
  readonly agent: RunningAgent;
  readonly deviceId: string;
  readonly directory: string;
  /** Requested while the device is offline, so that it is queued in the database. */
  readonly request: (script: string, deviceIds?: readonly string[]) => Promise<RunDetail>;
  /** Reconnects the device and returns the result of its newest invocation of the run. */
  readonly deliver: (runId: string) => Promise<EndedInvocation>;
  readonly sql: (text: string, values?: unknown[]) => Promise<void>;
}

export interface EndedInvocation {
  readonly status_details: string;
  readonly output_preview: string;
}

export async function openRealAgentFixture(
  options: { readonly runs?: RunKeys } = {},
): Promise<RealAgentFixture> {
  await using cleanup = new AsyncDisposableStack();
  const vault = createParameterVault(new Uint8Array(32));
  const signing = testRunSigning(options.runs);
  const setup = cleanup.use(await openGatewayFixture({ vault, signing, keyIntervalMs: 50 }));
  const base = await createCommandFixture(setup.database);
  const fixture = { ...base, deps: { ...base.deps, vault, signing, changes: setup.changes } };
  const directory = await mkdtemp(join(tmpdir(), 'dp-signed-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const device = await enrollTestDevice(setup);
  const { deviceId, instanceId, key, certificate } = device;
  await writeFile(
    join(directory, 'identity.json'),
    JSON.stringify({
      ...{ deviceId, instanceId, certificate },
      brokerUrl: `mqtts://127.0.0.1:${setup.broker.tlsPort}`,
      serverUrl: 'http://127.0.0.1:9',
      authorities: setup.authority.authorities,
      privateKey: key,
      pendingPrivateKey: null,
    }),
  );
  const agent = cleanup.use(
    await startAgent({
      stateDirectory: directory,
      serialNumber: null,
      log: () => {},
      enrollment: null,
      onRestartWanted: () => {},
      timing: { backOffBaseMs: 20, backOffCapMs: 100 },
    }),
  );
  const isOnline = async (): Promise<boolean> => {
    const [row] = await rowsOf<{ connectivity: string }>(
      setup.database,
      'select connectivity from device_status where device_id = $1',
      [deviceId],
    );
    return row?.connectivity === 'online' || row?.connectivity === 'degraded';
  };
  await until(isOnline);
  await until(async () => {
    const [row] = await rowsOf<{ keys: string[] | null }>(
      setup.database,
      'select run_key_ids as keys from device_instance where id = $1',
      [instanceId],
    );
    return row?.keys?.includes(signing.keys.current.keyId) === true;
  });
  const owned = cleanup.move();
  return {
    ...{ setup, fixture, agent, deviceId, directory },
    async request(script, deviceIds = [deviceId]) {
      agent.agent.disconnect();
      await until(async () => !(await isOnline()));
      const run = await runCommand(
        fixture.deps,
        viewerWith('Administrator'),
        runInput({
          command: 'shell',
          target: { kind: 'devices', deviceIds: [...deviceIds] },
          parameters: { script },
          confirmation: '',
        }),
      );
      return run;
    },
    async deliver(runId) {
      agent.agent.connect();
      return until(async () => {
        const [row] = await rowsOf<EndedInvocation>(
          setup.database,
          `select status_details, output_preview from invocation
           where run_id = $1 and device_id = $2 and ended_at is not null order by id desc limit 1`,
          [runId, deviceId],
        );
        return row;
      });
    },
    async sql(text, values = []) {
      await setup.database.pool.query(text, values);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
