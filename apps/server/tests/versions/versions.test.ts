import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import type { TavState } from '@deviceportal/contract/states';
import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { listDevices } from '../../src/devices/list/list-devices.ts';
import { updateDevice } from '../../src/devices/update-device.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { applySoftware } from '../../src/versions/apply-software.ts';
import { explainVersions } from '../../src/explanations/explain-versions.ts';
import { approveSoftware, withdrawApproval } from '../../src/versions/approve-software.ts';
import { changeSoftwareState } from '../../src/versions/change-software-state.ts';
import { getVersionAdoption } from '../../src/versions/get-version-adoption.ts';
import { getVersionMatrix } from '../../src/versions/get-version-matrix.ts';
import { recordAdoption } from '../../src/versions/record-adoption.ts';
import { registerSoftware } from '../../src/versions/register-software.ts';
import { restateDevices } from '../../src/versions/restate-devices.ts';
import { applyCellDeltas, recountCells } from '../../src/versions/data/cell-state-queries.ts';
import { administrator, callerOf, limitedTo } from '../devices/viewer-with.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
const component = 'firmware';
const now = new Date('2026-11-20T12:00:00Z');
const admin = callerOf(administrator);

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(async () => {
  await db.owner.orm.execute(sql`
    truncate device, device_status, device_instance, device_version, device_version_history, version_cell,
      version_cell_delta, version_adoption, software_version, version_approval, device_tav, version_restate`);
});

const deps = (at: Date = now) => ({ database: db.database, clock: () => at });

async function report(software: readonly (readonly [string, string, string?])[]): Promise<void> {
  await inTransaction(db.database, (tx) =>
    applySoftware(
      tx,
      software.map(([deviceId, version, of = component]) => ({
        deviceId,
        at: now,
        components: [{ component: of, version }],
      })),
    ),
  );
}

async function approved(version: string, model = 'M1', country = '*'): Promise<void> {
  const reference = { component, version };
  const known = await db.database.orm.execute(
    sql`select from software_version where component = ${component} and version = ${version}`,
  );
  if (known.rowCount === 0) {
    await registerSoftware(deps(), admin, {
      ...reference,
      models: [],
      channel: 'stable',
      releasedAt: null,
      notes: '',
    });
    await changeSoftwareState(deps(), admin, { ...reference, state: 'approved', reason: '' });
  }
  await approveSoftware(deps(), admin, { ...reference, model, country, mandatoryFrom: null });
  await everyDeviceTold();
}

async function block(version: string): Promise<void> {
  await changeSoftwareState(deps(), admin, {
    component,
    version,
    state: 'blocked',
    reason: 'bricks',
  });
  await everyDeviceTold();
}

async function everyDeviceTold(): Promise<void> {
  expect(await restateDevices(deps(), { limitMs: 20_000 })).toBe(true);
}

async function listed(token: DeviceFilterToken, viewer = administrator) {
  const page = await listDevices(deps(), viewer, {
    filter: { text: '', tokens: [token], operation: 'and', targetListId: null },
    sort: 'lastSeen',
    descending: true,
    pageSize: 50,
    cursor: null,
  });
  return page.rows.map((row) => ({ id: row.id, tavState: row.tavState }));
}

const inState = (...values: string[]) => listed({ key: 'tavState', operator: '=', values });
const idsIn = async (state: TavState) => (await inState(state)).map(({ id }) => id).toSorted();

test('shows for each approval the number and share of devices by version', async () => {
  const [a, b, c, d] = (await seedDevices(db.database, [
    { model: 'M1' },
    { model: 'M1' },
    { model: 'M1', country: 'FR' },
    { model: 'M2' },
  ])) as [string, string, string, string];
  await report([
    [a, '1.9.0'],
    [b, '1.10.0'],
    [c, '1.10.0'],
    [d, '1.9.0'],
  ]);
  await approved('1.10.0');
  await approved('1.9.0', 'M1', 'FR');
  const matrix = await getVersionMatrix(deps(), administrator, component);
  expect(matrix.versions).toEqual(['1.10.0', '1.9.0']);
  expect(matrix.devices).toBe(4);
  expect(
    matrix.rows.map(({ model, country, approved: version, otherCountries, cells }) => ({
      row: [model, country, version, otherCountries],
      cells: cells.map((cell) => [cell.version, cell.devices, cell.share, cell.state]).toSorted(),
    })),
  ).toEqual([
    { row: ['M1', 'FR', '1.9.0', []], cells: [['1.10.0', 1, 1, 'ahead']] },
    {
      row: ['M1', null, '1.10.0', ['FR']],
      cells: [
        ['1.10.0', 1, 0.5, 'current'],
        ['1.9.0', 1, 0.5, 'behind'],
      ],
    },
    { row: ['M2', null, null, []], cells: [['1.9.0', 1, 1, 'not-approved']] },
  ]);
});

test('finds devices by the worst state of their components, and shows it in the list', async () => {
  const [current, behind, both, none] = (await seedDevices(db.database, [{}, {}, {}, {}])) as [
    string,
    string,
    string,
    string,
  ];
  await report([
    [current, '2.0.0'],
    [behind, '1.0.0'],
    [both, '0.9.0'],
    [none, '1', 'radio'],
  ]);
  await approved('2.0.0');
  await registerSoftware(deps(), admin, {
    component,
    version: '0.9.0',
    models: [],
    channel: 'stable',
    releasedAt: null,
    notes: '',
  });
  await block('0.9.0');
  expect(await inState('current')).toEqual([{ id: current, tavState: 'current' }]);
  expect(await inState('behind')).toEqual([{ id: behind, tavState: 'behind' }]);
  expect(await inState('blocked')).toEqual([{ id: both, tavState: 'blocked' }]);
  expect(await inState('firmware:blocked')).toEqual([{ id: both, tavState: 'blocked' }]);
  expect(await inState('radio:blocked')).toEqual([]);
  expect(await listed({ key: 'software', operator: '=', values: ['radio'] })).toEqual([
    { id: none, tavState: null },
  ]);
});

test('updates the state of a device with its model, its country, and every approval', async () => {
  const [device] = (await seedDevices(db.database, [{ model: 'M1', country: 'DE' }])) as [string];
  await report([[device, '1.0.0']]);
  await approved('1.0.0');
  expect(await idsIn('current')).toEqual([device]);
  await approved('2.0.0', 'M1', 'FR');
  expect(await idsIn('current')).toEqual([device]);
  const changes = createLocalChangeFeed(() => {});
  await updateDevice(
    { ...deps(), changes, installCommand: async (token: string) => `install --claim ${token}` },
    admin,
    {
      id: device,
      country: 'FR',
    },
  );
  expect(await idsIn('behind')).toEqual([device]);
  await withdrawApproval(deps(), admin, { component, model: 'M1', country: 'FR' });
  await everyDeviceTold();
  expect(await idsIn('current')).toEqual([device]);
  await block('1.0.0');
  expect(await idsIn('blocked')).toEqual([device]);
});

test('ends the approvals of a blocked version, and records each in the audit trail', async () => {
  await approved('4.4.4', 'M1');
  await approved('4.4.4', '*');
  await block('4.4.4');
  const left = await db.database.orm.execute(sql`select from version_approval`);
  expect(left.rowCount).toBe(0);
  const audit = await db.database.orm.execute<{ type: string; n: number }>(sql`
    select type, count(*)::int as n from audit_event where type like 'version.%' and data ->> 'version' = '4.4.4' group by 1`);
  expect(audit.rows).toContainEqual({ type: 'version.approval-withdrawn', n: 2 });
  await expect(approved('4.4.4')).rejects.toMatchObject({ errorName: 'invalidParameters' });
});

test('does not deprecate a version that is still approved for some devices', async () => {
  await approved('1.0.0');
  const deprecate = () =>
    changeSoftwareState(deps(), admin, {
      component,
      version: '1.0.0',
      state: 'deprecated',
      reason: '',
    });
  await expect(deprecate()).rejects.toMatchObject({ errorName: 'invalidParameters' });
  await approved('2.0.0');
  await expect(deprecate()).resolves.toBeUndefined();
});

test('restricts approvals to the model or country of a limited permission', async () => {
  await approved('1.0.0');
  const permissions: readonly Permission[] = ['versions:manage', 'versions:read'];
  const french = callerOf(limitedTo({ ...everywhere, countries: ['FR'] }, permissions));
  const give = (country: string) =>
    approveSoftware(deps(), french, {
      component,
      version: '1.0.0',
      model: 'M1',
      country,
      mandatoryFrom: null,
    });
  await expect(give('FR')).resolves.toBeUndefined();
  await expect(give('DE')).rejects.toMatchObject({ errorName: 'noPermission' });
  await expect(give('*')).rejects.toMatchObject({ errorName: 'noPermission' });
  await expect(
    changeSoftwareState(deps(), french, {
      component,
      version: '1.0.0',
      state: 'blocked',
      reason: '',
    }),
  ).rejects.toMatchObject({ errorName: 'noPermission' });
});

test("counts in the matrix only devices within the viewer's scope", async () => {
  const [a, b] = (await seedDevices(db.database, [{ country: 'DE' }, { country: 'FR' }])) as [
    string,
    string,
  ];
  await report([
    [a, '1.0.0'],
    [b, '2.0.0'],
  ]);
  const french = limitedTo({ countries: ['FR'] }, ['versions:read']);
  const matrix = await getVersionMatrix(deps(), french, component);
  expect(matrix.versions).toEqual(['2.0.0']);
  const labelled = limitedTo({ labels: { site: 'x' } }, ['versions:read']);
  expect((await getVersionMatrix(deps(), labelled, component)).devices).toBe(0);
  await db.database.orm.execute(sql`update device set labels = '{"site":"x"}' where id = ${a}`);
  expect((await getVersionMatrix(deps(), labelled, component)).versions).toEqual(['1.0.0']);
});

test('keeps counts equal to row counts after any sequence of events', async () => {
  const devices = await seedDevices(db.database, [{}, {}, {}, {}]);
  const device = fc.constantFrom(...devices);
  const act = fc.oneof(
    fc.record({ kind: fc.constant('report'), device, to: fc.constantFrom('1.0', '1.1', '2.0') }),
    fc.record({ kind: fc.constant('model'), device, to: fc.constantFrom('M1', 'M2', null) }),
    fc.record({ kind: fc.constant('lifecycle'), device, to: fc.constantFrom('active', 'retired') }),
    fc.record({ kind: fc.constant('forget'), device, to: fc.constant(null) }),
    fc.record({ kind: fc.constant('fold'), device, to: fc.constant(null) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      for (const { kind, device: id, to } of acts) {
        if (kind === 'report') await report([[id, to ?? '']]);
        if (kind === 'fold') await applyCellDeltas(db.database.orm, 3);
        if (kind === 'forget') {
          await db.database.orm.execute(sql`delete from device_version where device_id = ${id}`);
        }
        if (kind === 'model' || kind === 'lifecycle') {
          await db.database.orm.execute(
            sql`update device set ${sql.identifier(kind)} = ${to} where id = ${id}`,
          );
        }
      }
      expect(await keptCounts()).toEqual(await realCounts());
    }),
    { numRuns: 30 },
  );
  await db.database.orm.execute(sql`update version_cell set devices = devices + 7`);
  await inTransaction(db.database, recountCells);
  expect(await keptCounts()).toEqual(await realCounts());
});

async function keptCounts() {
  const { rows } = await db.database.orm.execute(sql`
    select component, version, model, country, sum(devices)::int as n from (
      select component, version, model, country, devices from version_cell
      union all select component, version, model, country, devices from version_cell_delta) c
    group by 1, 2, 3, 4 having sum(devices) <> 0 order by 1, 2, 3, 4`);
  return rows;
}

async function realCounts() {
  const { rows } = await db.database.orm.execute(sql`
    select v.component, v.version, coalesce(d.model, '') as model, coalesce(d.country, '') as country, count(*)::int as n
    from device_version v join device d on d.id = v.device_id and d.lifecycle <> 'retired'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`);
  return rows;
}

test('orders versions by Semantic Versioning', async () => {
  // Section 11 of https://semver.org/spec/v2.0.0.html, and version texts of devices that do not conform to it.
  const inOrder = [
    '0.9.10', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2',
    '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1-rc.1', '1.0.1', '1.2', '1.9.0', '1.10.0', 'v2.0.0',
    '2.0.0.1', '13', '2024.01',
  ]; // prettier-ignore
  const { rows } = await db.database.orm.execute<{ v: string }>(sql`
    select v from unnest(${sql.param(inOrder.toReversed())}::text[]) v order by version_rank(v) collate "C"`);
  expect(rows.map(({ v }) => v)).toEqual(inOrder);
  const same = await db.database.orm.execute<{ same: boolean }>(
    sql`select version_rank('1.2') = version_rank('1.2.0+build.7') as same`,
  );
  expect(same.rows[0]?.same).toBe(true);
});

test('stores each day once, as of its last update, and shows current data for today', async () => {
  const [a, b] = (await seedDevices(db.database, [{}, {}])) as [string, string];
  await report([
    [a, '1.0.0'],
    [b, '1.0.0'],
  ]);
  await recordAdoption(deps(new Date('2026-11-18T03:00:00Z')));
  await report([[a, '2.0.0']]);
  await recordAdoption(deps(new Date('2026-11-18T23:58:00Z')));
  await recordAdoption(deps(new Date('2026-11-19T23:58:00Z')));
  await report([[b, '2.0.0']]);
  expect(await getVersionAdoption(deps(), administrator, { component, days: 30 })).toEqual({
    component,
    days: ['2026-11-18', '2026-11-19', '2026-11-20'],
    series: [
      { version: '2.0.0', devices: [1, 1, 2] },
      { version: '1.0.0', devices: [1, 1, 0] },
    ],
  });
});

test('explains why a device is not on the approved version, with the age of each fact and the next step', async () => {
  const [device] = (await seedDevices(db.database, [{ connectivity: 'offline' }])) as [string];
  await report([[device, '1.0.0']]);
  await approved('2.0.0');
  await db.database.orm.execute(sql`
    update device_status set connectivity_since = '2026-11-19T08:00:00Z' where device_id = ${device}`);
  const own = { deviceId: device, device: expect.any(String) as string };
  const rollOut = { kind: 'roll-out', on: { ...own, component, version: '2.0.0' }, lacks: null };
  expect(await explainVersions(deps(), administrator, device)).toEqual([
    {
      about: { component, installed: '1.0.0' },
      reasons: [
        {
          code: 'version-behind',
          facts: { installed: '1.0.0', approved: '2.0.0' },
          since: now.toISOString(),
          until: null,
          act: rollOut,
        },
        {
          code: 'no-artifact',
          facts: { approved: '2.0.0' },
          since: null,
          until: null,
          act: { kind: 'upload-artifact', on: { component }, lacks: null },
        },
        {
          code: 'device-offline',
          facts: { device: expect.any(String) as string, reason: null },
          since: '2026-11-19T08:00:00.000Z',
          until: null,
          act: { kind: 'wait-for-device', on: own, lacks: null },
        },
      ],
    },
  ]);
  const reader = limitedTo({}, ['versions:read']);
  const [theirs] = await explainVersions(deps(), reader, device);
  expect(theirs?.reasons[0]?.act).toMatchObject({
    kind: 'roll-out',
    lacks: { permission: 'air-blast:run' },
  });
  await report([[device, '2.0.0']]);
  expect(await explainVersions(deps(), administrator, device)).toEqual([]);
});
