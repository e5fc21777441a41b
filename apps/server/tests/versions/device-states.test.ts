import fc from 'fast-check';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deviceSorts } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { tavState, type TavState } from '@deviceportal/contract/states';
import { listDeviceIds } from '../../src/devices/list/list-devices.ts';
import { inTransaction, openDatabase } from '../../src/platform/database/database.ts';
import { applySoftware } from '../../src/versions/apply-software.ts';
import { approveSoftware, withdrawApproval } from '../../src/versions/approve-software.ts';
import { changeSoftwareState } from '../../src/versions/change-software-state.ts';
import { registerSoftware } from '../../src/versions/register-software.ts';
import { restateDevices } from '../../src/versions/restate-devices.ts';
import { restateProgress } from '../../src/versions/data/restate-queries.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { isThorough } from '../support/is-thorough.ts';

let db: TestDatabase;
const now = new Date('2026-11-20T12:00:00Z');
const admin = callerOf(administrator);
const states = Object.keys(tavState) as TavState[];
const components = ['firmware', 'radio'] as const;
const versions = ['1.0', '1.1', '2.0'] as const;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => clear());

const deps = () => ({ database: db.database, clock: () => now });
const run = (statement: SQL) => db.database.orm.execute(statement);

async function clear(): Promise<void> {
  await db.owner.orm.execute(sql`
    truncate device, device_status, device_instance, device_version, device_version_history, version_cell,
      version_cell_delta, software_version, version_approval, device_tav, version_restate`);
}

async function registerAll(): Promise<void> {
  for (const component of components) {
    for (const version of versions) {
      const reference = { component, version };
      await registerSoftware(deps(), admin, {
        ...reference,
        models: [],
        channel: 'stable',
        releasedAt: null,
        notes: '',
      });
      await changeSoftwareState(deps(), admin, { ...reference, state: 'approved', reason: '' });
    }
  }
}

interface Act {
  readonly kind: 'report' | 'device' | 'approve' | 'withdraw' | 'block' | 'forget';
  /** Indexes of the device, component, and version. */
  readonly device: number;
  readonly component: (typeof components)[number];
  readonly version: (typeof versions)[number];
  readonly model: 'M1' | '*';
  readonly country: 'DE' | '*';
  readonly change: 'model' | 'country' | 'lifecycle' | 'name';
  readonly odd: boolean;
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    ...([
      'report',
      'report',
      'device',
      'approve',
      'approve',
      'withdraw',
      'block',
      'forget',
    ] as const),
  ),
  device: fc.nat({ max: 3 }),
  component: fc.constantFrom(...components),
  version: fc.constantFrom(...versions),
  model: fc.constantFrom('M1', '*'),
  country: fc.constantFrom('DE', '*'),
  change: fc.constantFrom('model', 'country', 'lifecycle', 'name'),
  odd: fc.boolean(),
});

const changed = {
  model: ['M1', 'M2'],
  country: ['DE', null],
  lifecycle: ['active', 'retired'],
  name: ['a', 'z'],
} as const;

async function play(devices: readonly string[], each: Act): Promise<unknown> {
  const { component, version, model, country, change } = each;
  const deviceId = devices[each.device]!;
  switch (each.kind) {
    case 'report':
      return inTransaction(db.database, (tx) =>
        applySoftware(tx, [{ deviceId, at: now, components: [{ component, version }] }]),
      );
    case 'forget':
      return inTransaction(db.database, (tx) =>
        applySoftware(tx, [{ deviceId, at: now, components: [] }]),
      );
    case 'device':
      return run(
        sql`update device set ${sql.identifier(change)} = ${changed[change][each.odd ? 1 : 0]} where id = ${deviceId}`,
      );
    case 'approve':
      return approveSoftware(deps(), admin, {
        component,
        version,
        model,
        country,
        mandatoryFrom: null,
      });
    case 'withdraw':
      return withdrawApproval(deps(), admin, { component, model, country });
    case 'block':
      return changeSoftwareState(deps(), admin, {
        component,
        version,
        state: 'blocked',
        reason: '',
      });
  }
}

interface Stated {
  readonly id: string;
  readonly component: string;
  readonly state: TavState;
}

async function stated(rows: SQL): Promise<Stated[]> {
  const found = await run(sql`select id, component, state, name from (${rows}) r order by 1, 2`);
  return found.rows as unknown as Stated[];
}

/** Computed from the approvals and the versions of devices one by one, with the worst state of each device. */
async function computed(): Promise<Stated[]> {
  const each = await stated(sql`
    select v.device_id as id, v.component,
      tav_state(v.component, v.version, coalesce(d.model, ''), coalesce(d.country, '')) as state, d.name
    from device_version v join device d on d.id = v.device_id where d.lifecycle <> 'retired'`);
  const known = each.filter(({ state }) => state !== null);
  const worst = [...Map.groupBy(known, ({ id }) => id).values()].map((own) => ({
    ...own.toSorted((one, other) => states.indexOf(other.state) - states.indexOf(one.state))[0]!,
    component: '',
  }));
  return [...known, ...worst].toSorted((one, other) =>
    one.id + one.component < other.id + other.component ? -1 : 1,
  );
}

const written = () => stated(sql`select device_id as id, component, state, name from device_tav`);
const worstWritten = () =>
  stated(sql`select device_id as id, '' as component, tav_state as state, d.name
    from device_status s join device d on d.id = s.device_id where tav_state <> 'none'`);

test('stores states equal to those of the versions after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 2 }), { maxLength: 12 }),
      async (history) => {
        await clear();
        await registerAll();
        const devices = await seedDevices(db.database, [{}, {}, {}, {}]);
        for (const atOnce of history) {
          const ends = await Promise.allSettled(atOnce.map((each) => play(devices, each)));
          for (const end of ends) {
            // Nothing to withdraw, or approval of a blocked version.
            if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(PortalError);
          }
        }
        expect(await restateDevices(deps(), { limitMs: 20_000 })).toBe(true);
        const truth = await computed();
        expect(await written()).toEqual(truth);
        expect(await worstWritten()).toEqual(truth.filter(({ component }) => component === ''));
      },
    ),
    { numRuns: isThorough ? 80 : 15 },
  );
}, 120_000);

test('completes two concurrent lists of one device without a deadlock', async () => {
  await registerAll();
  const [deviceId = ''] = await seedDevices(db.database, [{}]);
  const report = (component: string, version: string) =>
    inTransaction(db.database, (tx) =>
      applySoftware(tx, [{ deviceId, at: now, components: [{ component, version }] }]),
    );
  for (let round = 0; round < 100; round += 1) {
    const version = versions[round % versions.length]!;
    await Promise.all([report('firmware', version), report('radio', version)]);
  }
});

test('finds each state of each component in the list under every sort order', async () => {
  await registerAll();
  const devices = await seedDevices(db.database, [{}, {}, { model: 'M2' }, {}]);
  const report = (
    device: number,
    component: 'firmware' | 'radio',
    version: '1.0' | '1.1' | '2.0',
  ) => ({ deviceId: devices[device]!, at: now, components: [{ component, version }] }) as const;
  await inTransaction(db.database, (tx) =>
    applySoftware(tx, [
      report(0, 'firmware', '1.0'),
      report(1, 'firmware', '1.1'),
      report(2, 'firmware', '2.0'),
      report(3, 'radio', '2.0'),
    ]),
  );
  const base = { country: '*', mandatoryFrom: null } as const;
  await approveSoftware(deps(), admin, {
    ...base,
    component: 'firmware',
    version: '1.1',
    model: 'M1',
  });
  await approveSoftware(deps(), admin, { ...base, component: 'radio', version: '1.0', model: '*' });
  expect(await restateDevices(deps(), { limitMs: 20_000 })).toBe(true);
  const found = async (value: string) => {
    const pages = deviceSorts.map((sort) =>
      listDeviceIds(deps(), administrator, {
        filter: {
          text: '',
          tokens: [{ key: 'tavState', operator: '=', values: [value] }],
          operation: 'and',
          targetListId: null,
        },
        sort,
        descending: true,
        pageSize: 50,
        cursor: null,
      }),
    );
    const [first, ...others] = (await Promise.all(pages)).map(({ ids }) => ids.toSorted());
    for (const other of others) expect(other).toEqual(first);
    return first!.map((id) => devices.indexOf(id)).toSorted();
  };
  expect(await found('behind')).toEqual([0]);
  expect(await found('firmware:current')).toEqual([1]);
  expect(await found('not-approved')).toEqual([2]);
  expect(await found('ahead')).toEqual([3]);
  expect(await found('radio:ahead')).toEqual([3]);
  expect(await found('firmware:ahead')).toEqual([]);
});

test('applies an approval to a report that began before it and ends after it', async () => {
  await registerAll();
  const [early, late] = (await seedDevices(db.database, [{}, {}])) as [string, string];
  const report = (deviceId: string) => ({
    deviceId,
    at: now,
    components: [{ component: 'firmware', version: '1.0' }],
  });
  const approve = (version: string) =>
    approveSoftware(deps(), admin, {
      component: 'firmware',
      version,
      model: '*',
      country: '*',
      mandatoryFrom: null,
    });
  await inTransaction(db.database, (tx) => applySoftware(tx, [report(early)]));
  await approve('1.0');
  await using other = openDatabase({ url: db.url });
  let whileOpen: boolean | undefined;
  await inTransaction(other, async (tx) => {
    await applySoftware(tx, [report(late)]);
    await approve('1.1');
    whileOpen = await restateDevices(deps(), { limitMs: 200 });
    expect(await restateProgress(db.database.orm)).not.toBeNull();
  });
  expect(whileOpen).toBe(false);
  expect(await restateDevices(deps(), { limitMs: 20_000 })).toBe(true);
  const behind = (await written()).filter(({ component }) => component === 'firmware');
  expect(behind.map(({ id, state }) => [id, state])).toEqual(
    [early, late].toSorted().map((id) => [id, 'behind']),
  );
  expect(await restateProgress(db.database.orm)).toBeNull();
});

test('updates devices despite an open transaction in another database of the server', async () => {
  await registerAll();
  const [device] = await seedDevices(db.database, [{}]);
  const installed = [{ component: 'firmware', version: '1.0' }];
  await inTransaction(db.database, (tx) =>
    applySoftware(tx, [{ deviceId: device!, at: now, components: installed }]),
  );
  await using neighbour = await createTestDatabase({ empty: true });
  await inTransaction(neighbour.database, async (tx) => {
    await tx.execute(sql`select pg_current_xact_id()`);
    await approveSoftware(deps(), admin, {
      component: 'firmware',
      version: '1.1',
      model: '*',
      country: '*',
      mandatoryFrom: null,
    });
    expect(await restateDevices(deps(), { limitMs: 5_000 })).toBe(true);
  });
  expect((await written()).map(({ state }) => state)).toContain('behind');
});
