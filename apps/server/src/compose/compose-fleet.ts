import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Composition } from './composition.ts';
import { claimForLocalAgent } from '../devices/claims/claim-for-local-agent.ts';
import {
  createSimulatedFleet,
  type DescribedFleet,
} from '../devices/enrollment/create-simulated-fleet.ts';
import { keepRunning } from '../platform/process/child-program.ts';

const agentSource = join(import.meta.dirname, '../../../agent/src');
const fleetFile = join(agentSource, 'fleet', 'main.ts');
const DESCRIPTION_LIMIT_BYTES = 512 * 1024 * 1024;

/**
 * Starts the simulated fleet and the real agent of this machine as child processes, which connect
 * like any device.
 */
export async function composeFleet(composition: Composition): Promise<void> {
  const { platform } = composition;
  const { config } = platform;
  if (config.fleet > 0) await startFleet(composition);
  if (config.agent) await startLocalAgent(composition);
}

async function startFleet({ platform, resources, clock, serverUrl }: Composition): Promise<void> {
  const { config, database, logger } = platform;
  const releases = { database, clock, files: platform.files.software };
  const claim = await createSimulatedFleet(releases, config.fleet, describeFleet);
  resources.use(
    keepRunning({
      name: 'simulated fleet',
      file: fleetFile,
      args: [
        ...['--size', String(config.fleet), '--server', serverUrl],
        ...['--state-dir', join(config.dataDir, 'fleet')],
      ],
      env: {
        DEVICEPORTAL_AGENT_PARENT: 'stdin',
        ...(claim && { DEVICEPORTAL_AGENT_CLAIM: claim }),
      },
      logger,
    }),
  );
}

async function describeFleet(size: number): Promise<DescribedFleet> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fleetFile, '--describe', '--size', String(size)],
    { maxBuffer: DESCRIPTION_LIMIT_BYTES },
  );
  return JSON.parse(stdout) as DescribedFleet;
}

async function startLocalAgent({
  platform,
  resources,
  clock,
  serverUrl,
}: Composition): Promise<void> {
  const { config, database, logger } = platform;
  const stateDir = join(config.dataDir, 'agent');
  const enrolled = existsSync(join(stateDir, 'identity.json'));
  const claim = enrolled ? undefined : await claimForLocalAgent({ database, clock }, hostname());
  resources.use(
    keepRunning({
      name: 'agent of this machine',
      file: join(agentSource, 'main.ts'),
      args: ['run', '--server', serverUrl, '--state-dir', stateDir],
      env: {
        DEVICEPORTAL_AGENT_PARENT: 'stdin',
        ...(claim && { DEVICEPORTAL_AGENT_CLAIM: claim }),
      },
      logger,
    }),
  );
}
