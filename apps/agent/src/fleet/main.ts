#!/usr/bin/env node
/**
 * The fleet simulator as a separate process. It writes JSON lines to standard output:
 * `{"state":"starting"}`, `{"state":"ready",…statistics}`. It exits on SIGTERM, and when its
 * standard input closes with `DEVICEPORTAL_AGENT_PARENT=stdin`.
 */

import { UsageError } from '../cli-options.ts';
import { reasonOf, standardErrorLogger, type Logger } from '../logger.ts';
import { describeFleet } from './describe-fleet.ts';
import { describePackages } from './describe-packages.ts';
import { describePastSoftware } from './describe-past-software.ts';
import { describeReleases } from './describe-releases.ts';
import { FLEET_USAGE, parseFleetOptions, type FleetCliOptions } from './fleet-options.ts';
import { enrollByClaim, startFleet, type Fleet } from './start-fleet.ts';

const say = (message: object): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};

/** Simulated networks fail constantly, so only errors of the simulator itself are logged. */
const quiet: Logger = (level, message, facts) => {
  if (level === 'error') standardErrorLogger(level, message, facts);
};

/** So that charts have something to show on the first start. */
const METRICS_PAST_DAYS = 3;

/** A larger fleet has no packages and history, which would dominate its description. */
const DEVICES_WITH_PAST = 2_000;

async function run(options: FleetCliOptions): Promise<void> {
  say({ state: 'starting', size: options.size });
  const fleet = await startFleet({
    size: options.size,
    seed: options.seed,
    stateDirectory: options.stateDirectory,
    serverUrl: options.server,
    enroll: enrollByClaim(options.server, options.claim),
    ...(options.mqtt === null ? {} : { brokerUrls: [options.mqtt] }),
    timeScale: options.timeScale,
    rhythm: options.rhythm,
    faults: options.faults,
    instantResults: options.instant,
    metricsPastDays: options.size <= DEVICES_WITH_PAST ? METRICS_PAST_DAYS : 0,
    log: process.env.DEVICEPORTAL_AGENT_LOG === 'all' ? standardErrorLogger : quiet,
  });
  stopOnRequest(fleet);
  await fleet.ready;
  say({ state: 'ready', ...fleet.statistics() });
}

function describeForRecord({ size, seed }: FleetCliOptions): object {
  const { owners, devices } = describeFleet(size, seed);
  return {
    owners,
    ...describeReleases(),
    devices: devices.map((device) => {
      if (device.index >= DEVICES_WITH_PAST) return device;
      const system = device.software.find(({ component }) => component === 'os')?.version ?? '';
      return {
        ...device,
        pastSoftware: describePastSoftware(device),
        packages: describePackages(device.serialNumber, system),
      };
    }),
  };
}

function stopOnRequest(fleet: Fleet): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await fleet[Symbol.asyncDispose]();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
  if (process.env.DEVICEPORTAL_AGENT_PARENT === 'stdin') {
    process.stdin.once('end', () => void stop());
    process.stdin.resume();
  }
}

try {
  const options = parseFleetOptions(process.argv.slice(2), process.env);
  if (options.describe) say(describeForRecord(options));
  else await run(options);
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`fleet: ${reasonOf(error)}\n${isUsage ? `${FLEET_USAGE}\n` : ''}`);
  process.exit(isUsage ? 2 : 1);
}
