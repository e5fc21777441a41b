import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { targetSha256 } from '../../src/commands/target/resolve-target.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import { previewRerun, rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  type CommandFixture,
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  shownBy,
  shownDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { withOpenedNames } from '../support/audit/with-opened-names.ts';

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

const byModel = (model: string): DeviceFilter => ({
  text: '',
  tokens: [{ key: 'model', operator: '=', values: [model] }],
  operation: 'and',
  targetListId: null,
});

async function oneDevice(device: Parameters<typeof seedDevices>[1][number] = {}): Promise<string> {
  const [id = ''] = await seedDevices(test.database, [device]);
  return id;
}

async function count(statement: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await test.database.orm.execute(statement);
  return Number((rows[0] as { count: string }).count);
}

describe('creating a run', () => {
  it('creates run, invocation, and audit event together, and publishes them after commit', async () => {
    const deviceId = await oneDevice({ name: 'lobby' });
    const run = await runCommand(
      fixture.deps,
      operator,
      runInput({
        command: 'logs/tail',
        target: on(deviceId),
        comment: 'ticket 7',
        timeoutSeconds: 60,
      }),
    );
    expect(run).toMatchObject({
      state: 'Pending',
      deviceId,
      deviceName: 'lobby',
      cancellable: true,
    });
    expect(run.parameters).toEqual({ lines: 100, path: '', contains: '' });
    expect(Date.parse(run.expiresAt) - Date.parse(run.createdAt)).toBe((60 + 3_600) * 1_000);
    const { rows } = await test.database.orm.execute(
      sql`select * from audit_event where run_id = ${run.id}`,
    );
    expect(await withOpenedNames(test.database, rows)).toMatchObject([
      {
        type: 'command.requested',
        device_id: deviceId,
        actor_name: operator.username,
        actor_address: origin.address,
        request_id: origin.requestId,
        data: { command: 'logs/tail', invocationId: run.invocationId, comment: 'ticket 7' },
      },
    ]);
    expect(fixture.published).toContainEqual({ kind: 'run-created', runId: run.id });
  });

  it('creates one run per idempotency key, also for concurrent requests', async () => {
    const input = runInput({ command: 'logs/tail', target: on(await oneDevice()) });
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => runCommand(fixture.deps, operator, input)),
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    const { id } = await runCommand(fixture.deps, operator, input);
    expect(id).toBe(runs[0]?.id);
    expect(await count(sql`select count(*) from invocation where run_id = ${id}`)).toBe(1);
    expect(await count(sql`select count(*) from audit_event where run_id = ${id}`)).toBe(1);
  });

  it('writes 5,000 targets with their audit events in as few statements as one', async () => {
    const ids = await seedDevices(
      test.database,
      Array.from({ length: 5_000 }, () => ({ model: 'BULK' })),
    );
    await seedDevices(test.database, [{ model: 'ALONE' }]);
    const statementsOf = async (target: CommandTarget) => {
      const input = { command: 'logs/tail', document: '', target };
      const shown = await previewTarget(fixture.deps, operator, input);
      using statements = vi.spyOn(pg.Client.prototype, 'query');
      const run = await runCommand(
        fixture.deps,
        operator,
        runInput({ ...input, agreement: shownBy(shown) }),
      );
      return { runId: run.id, statements: statements.mock.calls.length };
    };
    const one = await statementsOf({ kind: 'filter', filter: byModel('ALONE') });
    const all = await statementsOf({ kind: 'filter', filter: byModel('BULK') });
    expect(one.statements).toBeGreaterThan(3);
    expect(all.statements).toBeLessThanOrEqual(one.statements + 1);
    const { runId } = all;
    expect(await count(sql`select count(*) from invocation where run_id = ${runId}`)).toBe(5_000);
    expect(
      await count(sql`select count(distinct device_id) from audit_event where run_id = ${runId}`),
    ).toBe(ids.length);
  });

  it('previews the number of target devices, and the excluded ones with their reasons', async () => {
    const model = 'PREVIEW';
    await seedDevices(test.database, [
      { model },
      { model, connectivity: 'offline', country: 'FR' },
      { model, lifecycle: 'suspended' },
      { model, lifecycle: 'retired' },
      { model, enrolled: false },
      { model, serialNumber: null },
    ]);
    const filter = byModel(model);
    const preview = await previewTarget(fixture.deps, operator, {
      command: 'software/rollback',
      document: '',
      target: { kind: 'filter', filter },
    });
    expect(preview).toMatchObject({
      count: 2,
      online: 1,
      people: 0,
      countryCount: 2,
      countries: [
        { country: 'DE', count: 1 },
        { country: 'FR', count: 1 },
      ],
      failures: null,
    });
    expect(
      Object.fromEntries(preview.excluded.map(({ reason, count: many }) => [reason, many])),
    ).toEqual({
      suspended: 1,
      retired: 1,
      'no-instance': 1,
      'no-serial-number': 1,
    });
    const run = await runCommand(
      fixture.deps,
      operator,
      runInput({
        command: 'software/rollback',
        parameters: { component: 'a' },
        target: { kind: 'filter', filter },
        agreement: shownBy(preview),
      }),
    );
    expect(run.counters.target).toBe(2);
  });

  it('targets exactly the devices that were shown, or reports which were added and removed', async () => {
    const filter = byModel('M-shown');
    const target = { kind: 'filter', filter } as const;
    const [one = '', two = ''] = await seedDevices(test.database, [
      { model: 'M-shown', serialNumber: 'SHOWN-1' },
      { model: 'M-shown', serialNumber: 'SHOWN-2' },
    ]);
    const preview = () =>
      previewTarget(fixture.deps, operator, { command: 'logs/tail', document: '', target });
    const shown = await preview();
    expect(shown.sha256).toBe(targetSha256([one, two].toSorted()));
    const run = (of: { readonly sha256: string; readonly count: number }) =>
      runCommand(
        fixture.deps,
        operator,
        runInput({ command: 'logs/tail', target, agreement: shownBy(of) }),
      );
    await seedDevices(test.database, [{ model: 'M-shown', serialNumber: 'SHOWN-3' }]);
    await test.database.orm.execute(
      sql`update device set lifecycle = 'suspended' where id = ${one}`,
    );
    await expect(run(shown)).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['targetSha256'] }],
      facts: {
        devices: 2,
        added: 1,
        removed: 1,
        addedDevices: 'SHOWN-3',
        removedDevices: 'SHOWN-1',
      },
    });
    // For a set that was not shown here, only that it differs.
    await expect(run({ ...shown, sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 2004,
      facts: { devices: 2 },
    });
    const made = await run(await preview());
    expect(made.counters.target).toBe(2);
  });

  it('a rerun keeps version, parameters, and devices, or only the failed ones', async () => {
    const [one = '', two = ''] = await seedDevices(test.database, [{}, {}]);
    const first = await runCommand(
      fixture.deps,
      operator,
      runInput({
        command: 'network/ping',
        target: on(one, two),
        parameters: { host: '192.0.2.1', count: '2' },
      }),
    );
    await test.database.orm.execute(sql`
      update invocation set ended_at = now(), state = case when device_id = ${one}::uuid then 'Failed' else 'Success' end
      where run_id = ${first.id}`);
    const request = { runId: first.id, confirmation: '', origin };
    const all = await rerunCommand(fixture.deps, operator, {
      ...request,
      onlyFailed: false,
      answer: null,
      agreement: shownDevices([one, two]),
      idempotencyKey: randomUUID(),
    });
    expect(all).toMatchObject({
      parameters: { host: '192.0.2.1', count: 2 },
      counters: { target: 2 },
    });
    const failed = await rerunCommand(fixture.deps, operator, {
      ...request,
      onlyFailed: true,
      answer: null,
      agreement: shownDevices([one]),
      idempotencyKey: randomUUID(),
    });
    expect(failed).toMatchObject({ deviceId: one, counters: { target: 1 } });
  });

  it('a rerun targets exactly the devices that were shown, or none', async () => {
    const [one = '', two = ''] = await seedDevices(test.database, [{}, {}]);
    const first = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'network/ping', target: on(one, two), parameters: { host: 'a.test' } }),
    );
    const devices = { runId: first.id, onlyFailed: false, answer: null };
    const shown = await previewRerun(fixture.deps, operator, devices);
    expect(shown).toMatchObject({ count: 2, excluded: [] });
    await test.database.orm.execute(
      sql`update device set lifecycle = 'suspended' where id = ${two}`,
    );
    const again = (of: { readonly sha256: string; readonly count: number }) =>
      rerunCommand(fixture.deps, operator, {
        ...devices,
        agreement: shownBy(of),
        confirmation: '',
        idempotencyKey: randomUUID(),
        origin,
      });
    await expect(again(shown)).rejects.toMatchObject({
      errorName: 'invalidParameters',
      facts: { added: 0, removed: 1 },
    });
    const rest = await previewRerun(fixture.deps, operator, devices);
    expect(rest).toMatchObject({ count: 1, excluded: [{ reason: 'suspended', count: 1 }] });
    expect(await again(rest)).toMatchObject({ deviceId: one, counters: { target: 1 } });
  });
});
