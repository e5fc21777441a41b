import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import type { RunDetail } from '@deviceportal/contract/runs';
import { cancelRun } from '../../../src/commands/cancel-run.ts';
import { getDocumentUsage } from '../../../src/commands/catalog/get-document-usage.ts';
import { pauseRun, resumeRun } from '../../../src/commands/pause-run.ts';
import { previewTarget } from '../../../src/commands/target/preview-target.ts';
import { previewRerun, rerunCommand } from '../../../src/commands/rerun-command.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { getUndoOffer, undoRun } from '../../../src/commands/undo/undo-run.ts';
import { getDocument } from '../../../src/documents/get-document.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import {
  type CommandFixture,
  createCommandFixture,
  may,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerHolding,
  viewerWith,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { publishUndoable, UNDOABLE } from '../../support/undoable-document.ts';

const germany: Scope = { countries: ['DE'], models: [], labels: {} };
const administrator = viewerWith('Administrator');
const inGermany = viewerWith('Operator', germany);

let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await publishUndoable(fixture.deps, administrator);
});
afterAll(() => test[Symbol.asyncDispose]());

/** One device in Germany, and others; null is a device whose country is unknown. */
async function seed(...countries: readonly (string | null)[]): Promise<string[]> {
  const ids = await seedDevices(
    test.database,
    countries.map((country) => ({ country: country ?? 'XX' })),
  );
  await test.database.orm.execute(sql`update device set country = null where country = 'XX'`);
  return ids;
}

async function started(...countries: readonly (string | null)[]): Promise<RunDetail> {
  const target = { kind: 'devices' as const, deviceIds: await seed(...countries) };
  const input = runInput({ command: 'document', document: UNDOABLE, target });
  return runCommand(fixture.deps, administrator, input);
}

const end = (runId: string) =>
  test.database.orm.execute(sql`
    update invocation set state = 'Success', status_details = 'Success', ended_at = now(),
      steps = ${JSON.stringify([{ index: 0, name: 'set', action: 'x', state: 'Success' }])}::jsonb
    where run_id = ${runId}`);

const refused = { errorName: 'noPermission', reason: 'run-beyond-scope' };
const again = () => ({
  agreement: nothingShown,
  confirmation: '',
  idempotencyKey: randomUUID(),
  origin,
});
const rerunOf = (runId: string) => ({
  ...{ runId, onlyFailed: false, answer: null },
  ...again(),
});
const undoOf = (runId: string, deviceId: string | null = null) => ({
  ...{ runId, deviceId, comment: '' },
  ...again(),
});

for (const [where, other] of [
  ['in another country', 'FR'],
  ['whose country is not known', null],
] as const) {
  it(`a user with a scope cannot stop a run with a device ${where}`, async () => {
    const { id } = await started('DE', other);
    await expect(pauseRun(fixture.deps, inGermany, { id, origin })).rejects.toMatchObject(refused);
    await expect(cancelRun(fixture.deps, inGermany, { id, origin })).rejects.toMatchObject(refused);
    await pauseRun(fixture.deps, administrator, { id, origin });
    await expect(resumeRun(fixture.deps, inGermany, { id, origin })).rejects.toMatchObject(refused);
    const { rows } = await test.database.orm.execute(sql`
      select state, pending_count as pending from command_run where id = ${id}`);
    expect(rows).toEqual([{ state: 'Paused', pending: 2 }]);
  });

  it(`a user with a scope cannot repeat or undo a run with a device ${where}`, async () => {
    const { id } = await started('DE', other);
    await end(id);
    await expect(rerunCommand(fixture.deps, inGermany, rerunOf(id))).rejects.toMatchObject(refused);
    await expect(previewRerun(fixture.deps, inGermany, rerunOf(id))).rejects.toMatchObject(refused);
    await expect(undoRun(fixture.deps, inGermany, undoOf(id))).rejects.toMatchObject(refused);
    expect(await getUndoOffer(fixture.deps, inGermany, undoOf(id))).toMatchObject({
      allowed: false,
    });
  });

  it(`a permission with a narrower scope does not apply to a device ${where}`, async () => {
    const deviceIds = await seed('DE', other);
    const scoped = viewerHolding([
      may(['devices:read', 'commands:read'], everywhere),
      may(['commands:run:@disrupts'], germany),
    ]);
    const target = { kind: 'devices' as const, deviceIds };
    const document = { command: 'document', document: UNDOABLE, target };
    expect(
      await previewTarget(fixture.deps, scoped, { ...document, whenLocked: 'queue' }),
    ).toMatchObject({ count: 1, excluded: [{ reason: 'not-permitted', count: 1 }] });
    const run = await runCommand(
      fixture.deps,
      scoped,
      runInput({ ...document, agreement: shownDevices(deviceIds.slice(0, 1)) }),
    );
    expect(run.counters.target).toBe(1);
  });
}

it('a run completely within the scope can be acted on, and a larger run can be undone on one device', async () => {
  const own = await started('DE', 'DE');
  await pauseRun(fixture.deps, inGermany, { id: own.id, origin });
  await resumeRun(fixture.deps, inGermany, { id: own.id, origin });
  expect(await cancelRun(fixture.deps, inGermany, { id: own.id, origin })).toMatchObject({
    state: 'Cancelled',
  });
  const larger = await started('DE', 'FR');
  await end(larger.id);
  const { rows } = await test.database.orm.execute(sql`
    select device_id as id from invocation i join device d on d.id = i.device_id
    where i.run_id = ${larger.id} order by d.country`);
  const [german = '', french = ''] = (rows as { id: string }[]).map(({ id }) => id);
  await expect(undoRun(fixture.deps, inGermany, undoOf(larger.id, french))).rejects.toMatchObject({
    facts: { hindrance: 'no-effect' },
  });
  expect(await undoRun(fixture.deps, inGermany, undoOf(larger.id, german))).toMatchObject({
    deviceId: german,
  });
});

it('usage counts of a document exclude runs outside the scope', async () => {
  await test.database.orm.execute(sql`
    update invocation set started_at = ended_at - interval '7 seconds' where state = 'Success'`);
  const nowhere = viewerWith('Operator', { ...germany, countries: ['JP'] });
  expect(await getDocumentUsage(fixture.deps, nowhere, UNDOABLE)).toMatchObject({
    ...{ runs: 0, invocations: 0, successRate: null, medianDurationMs: null, failingModels: [] },
  });
  const { rows } = await test.database.orm.execute(sql`
    select count(distinct run_id)::int as runs, count(*)::int as invocations
    from invocation i join device d on d.id = i.device_id
    where d.country = 'DE' and run_id in (select id from command_run where document_name = ${UNDOABLE})`);
  expect(await getDocumentUsage(fixture.deps, inGermany, UNDOABLE)).toMatchObject(
    rows[0] as object,
  );
});

it('so do success rates and last uses in the list of documents', async () => {
  const rowFor = (viewer: Viewer) => getDocument(fixture.deps, viewer, UNDOABLE);
  const outcomes = [
    { country: 'DE', succeeded: 1, failed: 1 },
    { country: 'FR', succeeded: 6, failed: 0 },
  ];
  for (const { country, succeeded, failed } of outcomes) {
    const { id } = await started(country);
    await end(id);
    await test.database.orm.execute(sql`
      insert into run_outcome (run_id, document_name, document_version, is_undo, model, country, labels, succeeded,
        failed, ended_at)
      values (${id}, ${UNDOABLE}, 1, false, 'M1', ${country}, '{}', ${succeeded}, ${failed}, now())`);
  }
  expect(await rowFor(inGermany)).toMatchObject({ successRate: 0.5 });
  const nowhere = viewerWith('Operator', { ...germany, countries: ['JP'] });
  const unused = { successRate: null, lastUsedAt: null };
  expect(await rowFor(nowhere)).toMatchObject(unused);
  expect(await rowFor(viewerHolding([may(['documents:read'])]))).toMatchObject(unused);
  expect((await rowFor(administrator)).lastUsedAt).not.toBeNull();
});
