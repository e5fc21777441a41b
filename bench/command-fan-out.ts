import { parseArgs } from 'node:util';
import { openCommandFixture } from './command-fixture.ts';
import { cpuBetween, describeCpu, readCpu, type CpuTimes } from './cpu-meter.ts';
import { printRatio } from './device-fixture.ts';
import { profileOption, profileWork } from './support/profile-work.ts';
import { allDevices, fanOut } from './support/fan-out.ts';
import { shownTo } from './shown-to.ts';
import { administrator } from './support/administrator.ts';

const RATIO_LIMIT = 2;

/**
 * One command to every connected device, from the call to the last committed result, compared with
 * the bare round trip of the same broker and TLS clients: messages of the same lengths in both
 * directions, without storage. `--devices 5000 --rounds 5 --profile`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '5' },
      verbose: { type: 'boolean', default: false },
      ...profileOption,
    },
  });
  await using resources = new AsyncDisposableStack();
  const setup = await openCommandFixture(resources, Number(values.devices));
  const { deps, load, fleet, echo, connected: count } = setup;
  if (values.verbose) {
    deps.changes.subscribe((change) => {
      if (change.kind === 'run') console.log(`  ${performance.now().toFixed(0)} ms: run changed`);
    });
  }
  const bare: Measured[] = [];
  const full: Measured[] = [];
  const measure = async (work: () => Promise<number>): Promise<Measured> => {
    const before = await readCpu(deps.database, load);
    const ms = await work();
    return { ms, cpu: cpuBetween(before, await readCpu(deps.database, load)) };
  };
  // Warm-up for both paths, which also determines the length of a command for the bare one.
  const agreement = await shownTo(deps, administrator, {
    command: 'process/top',
    target: allDevices,
  });
  await fanOut(deps, count, agreement);
  await echo.roundTrip(fleet);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    bare.push(await measure(() => echo.roundTrip(fleet)));
    full.push(await measure(() => fanOut(deps, count, agreement)));
    console.log(`bare ${bare.at(-1)?.ms.toFixed(0)} ms, command ${full.at(-1)?.ms.toFixed(0)} ms`);
  }
  report('bare', bare);
  report('command', full);
  printRatio('command to bare round trip', medianMs(full) / medianMs(bare), {
    atMost: RATIO_LIMIT,
  });
  if (values.profile) await profileWork(deps.database, () => fanOut(deps, count, agreement));
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

interface Measured {
  readonly ms: number;
  readonly cpu: CpuTimes;
}

const medianMs = (rounds: readonly Measured[]): number => median(rounds.map(({ ms }) => ms));

function report(name: string, rounds: readonly Measured[]): void {
  const of = (who: keyof CpuTimes): number => median(rounds.map(({ cpu }) => cpu[who]));
  const cpu = { server: of('server'), load: of('load'), database: of('database') };
  console.log(`${name}: median ${medianMs(rounds).toFixed(0)} ms; CPU ms: ${describeCpu(cpu)}`);
}

await main();
