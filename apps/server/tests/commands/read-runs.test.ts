import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listInvocationsInput } from '@deviceportal/contract/invocations';
import { listRunsInput } from '@deviceportal/contract/runs';
import { scopesOf } from '@deviceportal/contract/permissions';
import { listAuditEventsInput } from '@deviceportal/contract/audit-trail';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { getRun } from '../../src/commands/get-run.ts';
import { listInvocations } from '../../src/commands/invocations/list-invocations.ts';
import { listRuns } from '../../src/commands/list-runs.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { readRunStates } from '../../src/live-channel/live-state-store.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const on = (...deviceIds: string[]) => ({ kind: 'devices', deviceIds }) as const;

/** Distinct counts of a run in its detail, the list, the live channel, and the audit trail. */
async function countersOf(id: string, viewer: Viewer): Promise<unknown[]> {
  const { database } = test;
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const filter = listAuditEventsInput.parse({ filter: { runId: id } });
  const [detail, list, live, trail] = await Promise.all([
    getRun(fixture.deps, viewer, id),
    listRuns(fixture.deps, viewer, listRunsInput.parse({ pageSize: 100 })),
    readRunStates(database, { ids: new Set([id]), scopes }),
    listAuditEvents(fixture.deps, viewer, filter),
  ]);
  const counters = [detail, list.rows.find((row) => row.id === id), live.get(id)].map(
    (run) => run?.counters,
  );
  const shown = counters.map((each) => ({
    target: each?.target,
    pending: each?.pending,
    failed: each?.failed,
    audit: trail.rows.find(({ type }) => type === 'command.requested')?.data['targets'],
  }));
  return [...new Map(shown.map((each) => [JSON.stringify(each), each])).values()];
}

async function oneDevice(device: Parameters<typeof seedDevices>[1][number] = {}): Promise<string> {
  const [id = ''] = await seedDevices(test.database, [device]);
  return id;
}

describe('reading runs', () => {
  it('runs and invocations outside the scope do not exist: 5000', async () => {
    const run = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'logs/tail', target: on(await oneDevice({ country: 'JP' })) }),
    );
    const french = viewerWith('Support', { countries: ['FR'], models: [], labels: {} });
    const japanese = viewerWith('Support', { countries: ['JP'], models: [], labels: {} });
    const reference = { id: run.invocationId ?? '', stdoutFrom: 0, stderrFrom: 0 };
    await expect(getRun(fixture.deps, french, run.id)).rejects.toMatchObject({ code: 5000 });
    await expect(getInvocation(fixture.deps, french, reference)).rejects.toMatchObject({
      code: 5000,
    });
    await expect(getInvocation(fixture.deps, japanese, reference)).resolves.toMatchObject({
      runId: run.id,
    });
    const page = {
      deviceId: null,
      documentName: null,
      mine: false,
      active: false,
      awaiting: false,
      failing: false,
      endedOn: null,
      pageSize: 100,
      cursor: null,
    };
    expect((await listRuns(fixture.deps, french, page)).rows).toEqual([]);
    expect((await listRuns(fixture.deps, japanese, page)).rows.map(({ id }) => id)).toEqual([
      run.id,
    ]);
  });

  it('every screen counts exactly the targets within the scope', async () => {
    const countries = ['PL', 'NZ', 'NZ'];
    const deviceIds = await seedDevices(
      test.database,
      countries.map((country) => ({ country })),
    );
    const run = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'logs/tail', target: on(...deviceIds) }),
    );
    await test.database.pool.query(
      `update invocation set state = 'Failed' where run_id = $1 and device_id = $2`,
      [run.id, deviceIds[2]],
    );
    const inside = (country: string) =>
      viewerWith('Support', { countries: [country], models: [], labels: {} });
    expect(await countersOf(run.id, inside('NZ'))).toEqual([
      { target: 2, pending: 1, failed: 1, audit: 2 },
    ]);
    expect(await countersOf(run.id, inside('PL'))).toEqual([
      { target: 1, pending: 1, failed: 0, audit: 1 },
    ]);
    // The stored counters of the run, because the row above was changed directly.
    expect(await countersOf(run.id, operator)).toEqual([
      { target: 3, pending: 3, failed: 0, audit: 3 },
    ]);
    const failing = async (viewer: Viewer) =>
      (await listRuns(fixture.deps, viewer, listRunsInput.parse({ failing: true }))).rows.some(
        ({ id }) => id === run.id,
      );
    expect(await failing(inside('NZ'))).toBe(true);
    expect(await failing(inside('PL'))).toBe(false);
    // A viewer who can see one device of a run sees it as the run's only one.
    expect(await getRun(fixture.deps, inside('PL'), run.id)).toMatchObject({
      deviceId: deviceIds[0],
      deviceName: 'device 0',
    });
    expect(await getRun(fixture.deps, inside('NZ'), run.id)).toMatchObject({ deviceId: null });
  });

  it('pages have neither gaps nor duplicates', async () => {
    const deviceId = await oneDevice();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.push(
        (
          await runCommand(
            fixture.deps,
            operator,
            runInput({ command: 'logs/tail', target: on(deviceId) }),
          )
        ).id,
      );
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(fixture.deps, operator, {
        deviceId,
        documentName: null,
        mine: false,
        active: false,
        awaiting: false,
        failing: false,
        endedOn: null,
        pageSize: 2,
        cursor,
      });
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(made.toSorted());
    const invocations = await listInvocations(fixture.deps, operator, {
      deviceId,
      runId: null,
      states: ['Pending'],
      pageSize: 100,
      cursor: null,
    });
    expect(invocations.rows).toHaveLength(5);
    const wrong = listRuns(fixture.deps, operator, {
      deviceId,
      documentName: null,
      mine: false,
      active: false,
      awaiting: false,
      failing: false,
      endedOn: null,
      pageSize: 2,
      cursor: 'WyJhIiwiYiJd',
    });
    await expect(wrong).rejects.toMatchObject({ code: 2004 });
  });

  it('invocations before a time are found, however many are newer', async () => {
    const deviceId = await oneDevice();
    const ids: (string | null)[] = [];
    for (const hours of [3, 2, 1]) {
      const run = await runCommand(
        fixture.deps,
        operator,
        runInput({ command: 'logs/tail', target: on(deviceId) }),
      );
      ids.push(run.invocationId);
      await test.database.pool.query(
        `update invocation set queued_at = '2026-01-01T12:00:00Z'::timestamptz - make_interval(hours => $2) where id = $1`,
        [run.invocationId, hours],
      );
    }
    const before = (queuedBefore: string) =>
      listInvocations(
        fixture.deps,
        operator,
        listInvocationsInput.parse({ deviceId, queuedBefore, pageSize: 1 }),
      );
    const [first, second] = [
      await before('2026-01-01T10:30:00Z'),
      await before('2026-01-01T10:00:00Z'),
    ];
    expect(first.rows.map(({ id }) => id)).toEqual([ids[1]]);
    expect(second.rows.map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('ten minutes without news are reported, and the state is not changed', async () => {
    const run = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'logs/tail', target: on(await oneDevice()) }),
    );
    const reference = { id: run.invocationId ?? '', stdoutFrom: 0, stderrFrom: 0 };
    expect(await getInvocation(fixture.deps, operator, reference)).toMatchObject({
      waitFailed: false,
    });
    fixture.setNow(new Date(Date.now() + 600_001));
    expect(await getInvocation(fixture.deps, operator, reference)).toMatchObject({
      waitFailed: true,
      state: 'Pending',
    });
    fixture.setNow(null);
  });

  it.each(['offline', 'never'] as const)(
    'no news are expected from a device that is %s, and the ten minutes start when it is back',
    async (connectivity) => {
      const deviceId = await oneDevice({ connectivity });
      const run = await runCommand(
        fixture.deps,
        operator,
        runInput({ command: 'logs/tail', target: on(deviceId) }),
      );
      const reference = { id: run.invocationId ?? '', stdoutFrom: 0, stderrFrom: 0 };
      const waitFailed = async (): Promise<boolean> =>
        (await getInvocation(fixture.deps, operator, reference)).waitFailed;
      const back = new Date(Date.now() + 3_600_000);
      fixture.setNow(back);
      expect(await waitFailed()).toBe(false);
      await test.database.orm.execute(sql`
        update device_status set connectivity = 'online', connectivity_since = ${back.toISOString()}
        where device_id = ${deviceId}`);
      expect(await waitFailed()).toBe(false);
      fixture.setNow(new Date(back.getTime() + 600_001));
      expect(await waitFailed()).toBe(true);
      fixture.setNow(null);
    },
  );
});
