import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Analytics } from '../../../src/audit-trail/archive/analytics.ts';
import { copyDatabase, type DatabaseCopy, type TestDatabase } from '../database/copy-database.ts';
import {
  findCounterFaults,
  findTrailFaults,
  readRuns,
  readRunTrail,
  type Fault,
} from '../run-record.ts';
import { findAccessFaults } from './check-access.ts';
import { findRequestFaults } from './check-requests.ts';
import { findStuckRollouts } from './check-rollouts.ts';
import { findSealFaults } from './check-trail.ts';
import { ROUNDS } from './history.ts';
import type { Coverage } from './coverage.ts';
import { systemScript } from './system-script.ts';
import { System } from './system.ts';
import { openArchive } from '../../../src/platform/files/open-files.ts';

export interface Stage {
  /** The initial state of each history. */
  readonly copy: DatabaseCopy;
  readonly analytics: Analytics;
  readonly coverage: Coverage;
  /** Number of concurrent histories, on one database. */
  readonly atOnce: number;
}

/** Plays the script of a seed, lets everything end, and checks the rules. */
export async function playScript(seed: number, stage: Stage): Promise<readonly Fault[]> {
  const { analytics, coverage } = stage;
  const [script] = fc.sample(systemScript(stage.atOnce), { seed, numRuns: 1 });
  if (script === undefined) return [];
  await using test = await copyDatabase(stage.copy);
  const dataDir = await mkdtemp(join(tmpdir(), 'system-'));
  try {
    await using system = await System.start({
      ...{ test, script, coverage },
      archive: {
        ...{ analytics, archive: openArchive(dataDir) },
        scratchDir: join(dataDir, 'scratch'),
      },
    });
    for (let position = 0; position < ROUNDS; position += 1) {
      const faults = await system.play(position);
      if (faults.length > 0) return faults;
    }
    const faults = [
      ...(await findFaultsAtEnd(system, test)),
      ...(await findAccessFaults(test.database)),
      ...(await findSealFaults(await system.seal({ archives: script.archives }))),
      ...system.findDeviceFaults(),
    ];
    await coverage.noteEnds(test.database);
    return faults;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function findFaultsAtEnd(system: System, { database }: TestDatabase): Promise<Fault[]> {
  const stuck = await system.settle();
  const runs = await readRuns(database);
  const all = [...runs.values()];
  const faults = [
    ...stuck,
    ...all.flatMap((run) => [...findCounterFaults(run)]),
    ...all
      .filter(({ ended }) => !ended)
      .map((seen) => ({ rule: 'a run is open past its expiry', seen })),
    ...findRequestFaults(
      system.players.flatMap(({ calls }) => calls.made),
      runs,
    ),
    ...(await findStuckRollouts(database)),
    ...system.findDeviceFaults(),
  ];
  await system.repeatEverything();
  const again = await readRuns(database);
  if (JSON.stringify([...again]) !== JSON.stringify([...runs]))
    faults.push({ rule: 'late words changed what had ended', seen: null });
  const trail = await readRunTrail(database);
  return [...faults, ...all.flatMap((run) => [...findTrailFaults(run, trail.get(run.id) ?? [])])];
}
