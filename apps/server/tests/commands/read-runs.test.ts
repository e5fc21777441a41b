import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getInvocation } from '../../src/commands/get-invocation.ts';
import { getRun } from '../../src/commands/get-run.ts';
import { listInvocations } from '../../src/commands/list-invocations.ts';
import { listRuns } from '../../src/commands/list-runs.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';
import {
  createCommandWorld,
  runInput,
  seedDevices,
  viewerWith,
  type CommandWorld,
} from '../support/command-world.ts';

let test: TestDatabase;
let world: CommandWorld;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  world = await createCommandWorld(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const on = (...deviceIds: string[]) => ({ kind: 'devices', deviceIds }) as const;

async function oneDevice(device: Parameters<typeof seedDevices>[1][number] = {}): Promise<string> {
  const [id = ''] = await seedDevices(test.database, [device]);
  return id;
}

describe('what may be read of runs', () => {
  it('[run-6] runs and invocations outside one’s scope do not exist: 5000', async () => {
    const run = await runCommand(
      world.deps,
      operator,
      runInput({ command: 'logs/tail', target: on(await oneDevice({ country: 'JP' })) }),
    );
    const french = viewerWith('Support', { countries: ['FR'], models: [], labels: {} });
    const japanese = viewerWith('Support', { countries: ['JP'], models: [], labels: {} });
    const reference = { id: run.invocationId ?? '', stdoutFrom: 0, stderrFrom: 0 };
    await expect(getRun(world.deps, french, run.id)).rejects.toMatchObject({ code: 5000 });
    await expect(getInvocation(world.deps, french, reference)).rejects.toMatchObject({
      code: 5000,
    });
    await expect(getInvocation(world.deps, japanese, reference)).resolves.toMatchObject({
      runId: run.id,
    });
    const page = {
      deviceId: null,
      documentName: null,
      mine: false,
      active: false,
      pageSize: 100,
      cursor: null,
    };
    expect((await listRuns(world.deps, french, page)).rows).toEqual([]);
    expect((await listRuns(world.deps, japanese, page)).rows.map(({ id }) => id)).toEqual([run.id]);
  });

  it('[run-7] pages follow one another without hole or double', async () => {
    const deviceId = await oneDevice();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.push(
        (
          await runCommand(
            world.deps,
            operator,
            runInput({ command: 'logs/tail', target: on(deviceId) }),
          )
        ).id,
      );
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(world.deps, operator, {
        deviceId,
        documentName: null,
        mine: false,
        active: false,
        pageSize: 2,
        cursor,
      });
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(made.toSorted());
    const invocations = await listInvocations(world.deps, operator, {
      deviceId,
      runId: null,
      states: ['Pending'],
      pageSize: 100,
      cursor: null,
    });
    expect(invocations.rows).toHaveLength(5);
    const wrong = listRuns(world.deps, operator, {
      deviceId,
      documentName: null,
      mine: false,
      active: false,
      pageSize: 2,
      cursor: 'WyJhIiwiYiJd',
    });
    await expect(wrong).rejects.toMatchObject({ code: 2004 });
  });

  it('[run-8] ten minutes without news is said, and the state stays', async () => {
    const run = await runCommand(
      world.deps,
      operator,
      runInput({ command: 'logs/tail', target: on(await oneDevice()) }),
    );
    const reference = { id: run.invocationId ?? '', stdoutFrom: 0, stderrFrom: 0 };
    expect(await getInvocation(world.deps, operator, reference)).toMatchObject({
      waitFailed: false,
    });
    world.setNow(new Date(Date.now() + 600_001));
    expect(await getInvocation(world.deps, operator, reference)).toMatchObject({
      waitFailed: true,
      state: 'Pending',
    });
    world.setNow(null);
  });
});
