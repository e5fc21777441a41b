import type { InvocationDetail } from '@deviceportal/contract/invocations';
import type { RunDetail } from '@deviceportal/contract/runs';
import { createDispatcher } from '../../src/commands/execution/dispatcher.ts';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import type { DownMessage } from '../../src/gateway/device-transport.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { syncInstances } from '../../src/systems-manager/instance-sync.ts';
import {
  createRunCommandEngine,
  type RunCommandEngine,
  type RunCommandEngineDeps,
} from '../../src/systems-manager/run-command-engine.ts';
import {
  createCommandFixture,
  runInput,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import { quietLogger, rowsOf, until } from '../support/gateway-fixture.ts';
import { SmallSsm, type SmallInstance } from './small-ssm.ts';

/** The newest agent of Systems Manager. */
export const NEW_AGENT = '3.3.2746.0';

export interface RunCommandFixture extends AsyncDisposable {
  readonly database: Database;
  readonly commands: CommandFixture;
  readonly ssm: SmallSsm;
  readonly engine: RunCommandEngine;
  /** Messages to devices with the agent. */
  readonly published: DownMessage[];
  readonly sync: () => Promise<void>;
  /** Device of an instance. */
  readonly deviceOf: (instanceId: string) => Promise<string>;
  readonly run: (input: Parameters<typeof runInput>[0]) => Promise<RunDetail>;
  readonly runShell: (deviceIds: readonly string[], script: string) => Promise<RunDetail>;
  /** The ended invocation of a run on a device. */
  readonly ended: (runId: string, deviceId: string) => Promise<InvocationDetail>;
}

/** A dispatcher with Run Command as its other engine, on a small Systems Manager. */
export async function openRunCommandFixture(
  instances: readonly SmallInstance[],
  options: Partial<
    Pick<RunCommandEngineDeps, 'output' | 'readObject' | 'leaseSeconds' | 'readSeconds'>
  > & {
    readonly tags?: Readonly<Record<string, string>>;
  } = {},
): Promise<RunCommandFixture> {
  await using cleanup = new AsyncDisposableStack();
  const { database } = cleanup.use(await createTestDatabase());
  const ssm = cleanup.use(await SmallSsm.start(instances));
  const commands = await createCommandFixture(database);
  const { changes, clock, vault, signing } = commands.deps;
  const { createRunCommand } = await loadAws('ssm-commands', 'test');
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const region = 'eu-central-1';
  const api = createRunCommand({ region, endpoint: ssm.endpoint, credentials });
  const { tags = {}, ...more } = options;
  const engine = cleanup.use(
    createRunCommandEngine({
      ...{ database, changes, clock, vault, api, region, logger: quietLogger },
      ...{ output: undefined, readObject: undefined, readSeconds: 0.05, roundMs: 50 },
      ...more,
    }),
  );
  const published: DownMessage[] = [];
  const dispatcher = cleanup.use(
    createDispatcher({
      ...{ database, changes, vault, signing, logger: quietLogger, otherEngine: engine },
      transport: { publish: (messages) => void published.push(...messages) },
      artefactUploadUrl: () => null,
      ...{ pollIntervalMs: 100, resendAfterSeconds: 1 },
    }),
  );
  const onConnected = dispatcher.devicesConnected;
  const deps = { ...commands.deps, sendNew: dispatcher.sendNew };
  const operator = viewerWith('Administrator');
  const run: RunCommandFixture['run'] = (input) => runCommand(deps, operator, runInput(input));
  const owned = cleanup.move();
  return {
    ...{ database, commands, ssm, engine, published, run },
    sync: () =>
      syncInstances({ database, changes, clock, logger: quietLogger, api, tags, onConnected }),
    deviceOf: async (instanceId) => {
      const text = 'select device_id as id from managed_instance where instance_id = $1';
      const [row] = await rowsOf<{ id: string }>(database, text, [instanceId]);
      return row?.id ?? '';
    },
    runShell: (deviceIds, script) =>
      run({
        command: 'shell',
        target: { kind: 'devices', deviceIds: [...deviceIds] },
        parameters: { script },
        maxConcurrency: '100%',
        confirmation: String(deviceIds.length),
      }),
    ended: async (runId, deviceId) => {
      const text =
        'select id from invocation where run_id = $1 and device_id = $2 and ended_at is not null';
      const id = await until(async () => {
        const [row] = await rowsOf<{ id: string }>(database, text, [runId, deviceId]);
        return row?.id;
      }, 50_000);
      return getInvocation(commands.deps, operator, { id, stdoutFrom: 0, stderrFrom: 0 });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
