#!/usr/bin/env node
/**
 * `deviceportal-agent`: see USAGE. Exit codes: 0 success, 1 failure, 2 invalid arguments, 75
 * restart required.
 */

import { X509Certificate } from 'node:crypto';
import { AGENT_VERSION } from './agent-version.ts';
import { parseCliOptions, USAGE, UsageError, type CliOptions } from './cli-options.ts';
import { reasonOf, standardErrorLogger as log } from './logger.ts';
import { enrollWhenApproved, startAgent, type RunningAgent } from './run-agent.ts';
import {
  installService,
  requireServiceManager,
  restartService,
  uninstallService,
} from './service.ts';
import { lockState, runningAgentPid } from './state-lock.ts';
import { readIdentity } from './store/identity-file.ts';
import { openAgentStore } from './store/open-agent-store.ts';
import { upgradeProgram } from './upgrade.ts';

const EXIT_RESTART = 75;

// Deprecation warnings of libraries are not relevant to users of this machine.
process.noDeprecation = true;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(options: CliOptions): Promise<void> {
  switch (options.command) {
    case 'version':
      print(AGENT_VERSION);
      return;
    case 'enroll':
      await enrollNow(options);
      return;
    case 'run':
      await runForever(options);
      return;
    case 'install-service': {
      await requireServiceManager();
      if (!(await readIdentity(options.stateDirectory))) await enrollNow(options);
      print(`service installed: ${await installService(options)}`);
      return;
    }
    case 'uninstall-service':
      print(`service removed: ${await uninstallService()}; ${options.stateDirectory} is kept`);
      return;
    case 'upgrade':
      await upgrade(options);
      return;
    case 'status':
      await printStatus(options);
      return;
    default:
      throw new UsageError('unknown command');
  }
}

async function enrollNow(options: CliOptions): Promise<void> {
  if (!options.server || !options.claim) throw new UsageError('--server and --claim are required');
  const other = await runningAgentPid(options.stateDirectory);
  if (other !== null)
    throw new Error(`another agent is using this directory (PID ${other}). Stop it first`);
  // Waiting for an approval can take a while.
  await using stack = new AsyncDisposableStack();
  stack.use(await lockState(options.stateDirectory));
  const identity = await enrollWhenApproved(
    { ...options, log },
    { serverUrl: options.server, claimToken: options.claim, releaseKey: options.releaseKey },
  );
  print(`enrolled as device ${identity.deviceId}`);
}

async function runForever(options: CliOptions): Promise<void> {
  const { server, claim, mqtt, releaseKey } = options;
  let running: RunningAgent | undefined;
  let restarting = Promise.resolve();
  const start = async (): Promise<void> => {
    running = await startAgent({
      ...options,
      log,
      brokerUrls: mqtt ?? undefined,
      enrollment: server && claim ? { serverUrl: server, claimToken: claim, releaseKey } : null,
      onRestartWanted: () => {
        restarting = restart();
      },
    });
  };
  const restart = async (): Promise<void> => {
    log('info', 'agent restarting');
    await running?.stop('upgrade');
    // The service manager starts the version that is now current. Without one, this process
    // continues.
    if (options.service) process.exit(EXIT_RESTART);
    await start();
  };
  const stop = async (): Promise<void> => {
    await restarting;
    await running?.stop();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
  // A program that starts the agent as its child process can have it end with itself.
  if (process.env.DEVICEPORTAL_AGENT_PARENT === 'stdin') {
    process.stdin.once('end', () => void stop());
    process.stdin.resume();
  }
  await start();
}

async function upgrade(options: CliOptions): Promise<void> {
  const identity = await readIdentity(options.stateDirectory);
  const from = options.from ?? (identity && new URL('/agent/agent.mjs', identity.serverUrl).href);
  if (!from) throw new UsageError('not enrolled. Use --from');
  const version = await upgradeProgram({ stateDirectory: options.stateDirectory, from });
  const restarted = await restartService().then(
    () => true,
    () => false,
  );
  const next = restarted ? 'and started' : 'but it is not a service. Restart the agent to use it';
  print(`agent ${version} installed, ${next}`);
}

async function printStatus(options: CliOptions): Promise<void> {
  const identity = await readIdentity(options.stateDirectory);
  const pid = await runningAgentPid(options.stateDirectory);
  const status: Record<string, string | number | boolean | null> = {
    agentVersion: AGENT_VERSION,
    stateDirectory: options.stateDirectory,
    running: pid !== null,
    processId: pid,
    enrolled: identity !== undefined,
  };
  if (identity) {
    status.deviceId = identity.deviceId;
    status.instanceId = identity.instanceId;
    status.server = identity.serverUrl;
    status.brokers = (identity.connection?.brokerUrls ?? [identity.brokerUrl]).join(', ');
    status.certificateEnds = new Date(
      Date.parse(new X509Certificate(identity.certificate).validTo),
    ).toISOString();
  }
  if (identity && pid === null) {
    await using opened = await openAgentStore({ stateDirectory: options.stateDirectory });
    status.unacknowledgedEntries = opened.store.state.unacknowledged.length;
  }
  if (options.json) print(JSON.stringify(status));
  else for (const [name, value] of Object.entries(status)) print(`${name}: ${String(value)}`);
}

try {
  await main(parseCliOptions(process.argv.slice(2), process.env));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`deviceportal-agent: ${reasonOf(error)}\n${isUsage ? `${USAGE}\n` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}
