/** The command line of the fleet simulator. */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../cli-options.ts';

export interface FleetCliOptions {
  readonly size: number;
  readonly seed: string;
  readonly describe: boolean;
  readonly server: string;
  readonly claim: string;
  readonly stateDirectory: string;
  readonly mqtt: string | null;
  readonly timeScale: number;
  readonly rhythm: boolean;
  readonly faults: boolean;
  readonly instant: boolean;
}

export const FLEET_USAGE = `fleet --size N --server URL --state-dir D [--claim TOKEN] [--mqtt mqtt(s)://HOST:PORT]
      [--seed TEXT] [--time-scale X] [--no-rhythm] [--no-faults] [--instant]
fleet --size N --describe [--seed TEXT]     prints the fleet's people and devices as JSON
The claim may also come as DEVICEPORTAL_AGENT_CLAIM; it is needed while devices are not enrolled.
DEVICEPORTAL_AGENT_RHYTHM=off is the same as --no-rhythm: every device stays connected.`;

export function parseFleetOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): FleetCliOptions {
  const values = parse(args);
  const describe = values.describe ?? false;
  const server = values.server ?? '';
  const stateDirectory = values['state-dir'] ?? '';
  if (!describe && !URL.canParse(server)) throw new UsageError('--server requires a URL');
  if (!describe && stateDirectory === '') throw new UsageError('--state-dir is missing');
  if (values.mqtt !== undefined && !/^mqtts?:\/\//.test(values.mqtt)) {
    throw new UsageError('--mqtt must be mqtt://HOST:PORT or mqtts://HOST:PORT');
  }
  return {
    size: positive('--size', values.size ?? '200', Number.isInteger),
    seed: values.seed ?? 'device-portal',
    describe,
    server,
    claim: values.claim ?? environment.DEVICEPORTAL_AGENT_CLAIM ?? '',
    stateDirectory: resolve(stateDirectory),
    mqtt: values.mqtt ?? null,
    timeScale: positive('--time-scale', values['time-scale'] ?? '1', Number.isFinite),
    rhythm: !values['no-rhythm'] && environment.DEVICEPORTAL_AGENT_RHYTHM !== 'off',
    faults: !values['no-faults'],
    instant: values.instant ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        size: { type: 'string' },
        seed: { type: 'string' },
        describe: { type: 'boolean' },
        server: { type: 'string' },
        claim: { type: 'string' },
        'state-dir': { type: 'string' },
        mqtt: { type: 'string' },
        'time-scale': { type: 'string' },
        'no-rhythm': { type: 'boolean' },
        'no-faults': { type: 'boolean' },
        instant: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string, fits: (value: number) => boolean): number {
  const value = Number(text);
  if (!fits(value) || value <= 0) throw new UsageError(`${name} ${text} is not a number above 0`);
  return value;
}
