import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { atSpeed, medianComputation } from './capacity/at-speed.ts';
import { measureArchive } from './capacity/measure-archive.ts';
import { CROWD, measureUnitCosts } from './capacity/measure-unit-costs.ts';
import { assumptionDefaults, type Assumptions } from './capacity/model/assumptions.ts';
import { planCapacity, type FixedFigures } from './capacity/model/plan.ts';
import { fitUnitCosts } from './capacity/model/unit-costs.ts';
import { printPlans } from './capacity/print-plans.ts';
import { compare, isWithin, printDifferences } from './capacity/print-differences.ts';
import { checkConnected, checkPublished } from './capacity/run-checks.ts';
import { openWorkplace, type Measured } from './capacity/workplace.ts';

const HEARTBEAT_SECONDS = 20;
const RECORDED = new URL('capacity/recorded-figures.json', import.meta.url);

const options = {
  /** Numbers of devices to plan for. */
  devices: { type: 'string', default: '1000,100000,1000000,10000000' },
  /** Plans with the figures of an earlier run, without measuring and without a check. */
  recorded: { type: 'boolean', default: false },
  /** Keeps the figures of this run. */
  record: { type: 'boolean', default: false },
  /** Parts to run; without `units`, with the recorded figures. */
  parts: { type: 'string', default: 'units,connected,published' },
  /** Devices with which unit costs are measured, and those of both checks. */
  measured: { type: 'string', default: '5000' },
  connected: { type: 'string', default: '10000' },
  published: { type: 'string', default: '100000' },
  /** Seconds of each check. */
  seconds: { type: 'string', default: '120' },
  /** Factor of the duration of the measurements. */
  scale: { type: 'string', default: '1' },
  /** A file for everything that was measured. */
  samples: { type: 'string' },
} as const;

const flagOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const assumptionOptions = Object.fromEntries(
  Object.keys(assumptionDefaults).map((name) => [flagOf(name), { type: 'string' as const }]),
);

const readValues = () => parseArgs({ options: { ...options, ...assumptionOptions } }).values;
type Values = ReturnType<typeof readValues>;

/**
 * What a number of devices needs, from unit costs that are measured with 5,000 devices; and whether the same model
 * predicts 10,000 connected devices, and 100,000 without connections. `npm run bench:capacity -- --recorded --devices
 * 250000 --heartbeat 60` only plans.
 */
async function main(): Promise<void> {
  const values = readValues();
  const assumed = readAssumptions(values);
  const parts = values.recorded ? [] : values.parts.split(',');
  const samples: Measured[] = [];
  const figures = parts.includes('units')
    ? await measureFigures(values, samples)
    : await recorded();
  await keepSamples(values, samples);
  if (values.record) await writeFile(RECORDED, `${JSON.stringify(figures, undefined, 2)}\n`);
  const sizes = values.devices.split(',').map(Number);
  printPlans(
    sizes.map((devices) => planCapacity(devices, assumed, figures)),
    assumed,
  );
  const base = { heartbeatSeconds: HEARTBEAT_SECONDS, seconds: Number(values.seconds) };
  const check = async (found: readonly Measured[]): Promise<void> => {
    report(found, figures);
    samples.push(...found);
    await keepSamples(values, samples);
  };
  if (parts.includes('connected'))
    await check(await checkConnected({ ...base, devices: Number(values.connected) }));
  if (parts.includes('published'))
    await check([await checkPublished({ ...base, devices: Number(values.published) })]);
}

async function keepSamples(values: Values, samples: readonly Measured[]): Promise<void> {
  if (values.samples !== undefined) await writeFile(values.samples, JSON.stringify(samples));
}

function readAssumptions(values: Readonly<Record<string, unknown>>): Assumptions {
  return Object.fromEntries(
    Object.entries(assumptionDefaults).map(([name, usual]) => {
      const value = Number(values[flagOf(name)] ?? usual);
      if (!(value > 0)) throw new Error(`--${flagOf(name)} must be a number above 0`);
      return [name, value];
    }),
  ) as unknown as Assumptions;
}

const recorded = async (): Promise<FixedFigures> =>
  JSON.parse(await readFile(RECORDED, 'utf8')) as FixedFigures;

async function measureFigures(values: Values, samples: Measured[]): Promise<FixedFigures> {
  const time = {
    ...{ devices: Number(values.measured), heartbeatSeconds: HEARTBEAT_SECONDS },
    scale: Number(values.scale),
  };
  console.log(`Unit costs, with ${time.devices} devices`);
  await using resources = new AsyncDisposableStack();
  const workplace = await openWorkplace(resources, {
    ...time,
    published: time.devices * CROWD,
  });
  samples.push(...(await measureUnitCosts(workplace, time)));
  const computationMicroseconds = medianComputation(samples);
  const { metricBytes, costs: known } = await recorded();
  const fitted = fitUnitCosts(samples.map((sample) => atSpeed(sample, computationMicroseconds)));
  // Metrics are switched off here; `npm run bench:metrics` measures them.
  const costs = { ...fitted, metricMessage: known.metricMessage };
  const connecting = samples.find(({ activity }) => activity.firstConnect > 0);
  return {
    ...{ costs, metricBytes },
    bytesPerDevice:
      workplace.storedBytesPerDevice +
      costs.firstConnect.keptBytes +
      (connecting?.updatedBytes ?? 0) / time.devices,
    coldBytesPerEvent: await measureArchive(workplace.installation),
    computationMicroseconds,
    brokerBytesPerConnection: (connecting?.brokerResidentBytes ?? 0) / time.devices,
  };
}

function report(
  checks: readonly Measured[],
  { costs, computationMicroseconds }: FixedFigures,
): void {
  for (const check of checks) {
    const differences = compare(atSpeed(check, computationMicroseconds), costs);
    printDifferences(check.name, differences);
    if (!differences.every(isWithin)) process.exitCode = 1;
  }
}

await main();
