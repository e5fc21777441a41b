import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deviceFilterSchema,
  type DeviceFilterInput,
  type DeviceFilterToken,
  type DeviceSort,
} from '@deviceportal/contract/devices';
import { reaches, type Scope } from '@deviceportal/contract/permissions';
import {
  builtinConsequences,
  loadBuiltinCommands,
} from '../../src/commands/catalog/builtin-commands.ts';
import {
  resolveCommand,
  type ResolvedCommand,
} from '../../src/commands/catalog/resolve-command.ts';
import { targetQuery } from '../../src/commands/target/target-query.ts';
import { selectTargetDevices } from '../../src/commands/data/target-queries.ts';
import { countDevices } from '../../src/devices/list/count-devices.ts';
import {
  listDeviceIds,
  listDevices,
  type ListDependencies,
} from '../../src/devices/list/list-devices.ts';
import { loadBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { isThorough } from '../support/is-thorough.ts';
import { fillSampleFleet, sampleStart, type SampleDevice } from './sample-fleet.ts';
import { administrator, limitedTo } from './viewer-with.ts';

const FLEET_SIZE = 400;
let db: TestDatabase;
let resolved: ResolvedCommand;
let fleet: SampleDevice[];
let deps: ListDependencies;

beforeAll(async () => {
  db = await createTestDatabase();
  fleet = await fillSampleFleet(db.database, FLEET_SIZE);
  await db.owner.pool.query('analyze');
  const database = db.database;
  const clock = () => new Date();
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
  resolved = await resolveCommand(database.orm, 'logs/tail', '');
  deps = {
    database,
    clock: () => new Date('2026-11-20T12:00:00Z'),
    // Small, so that a fleet of this size uses all strategies.
    budgets: {
      first: { probeEntries: 15, walkEntries: 30, collectedRows: 40, tiedIds: 8, patient: false },
      goingOn: { probeEntries: 15, walkEntries: 60, collectedRows: 90, tiedIds: 8, patient: true },
    },
  };
});
afterAll(() => db[Symbol.asyncDispose]());

async function allPages(
  viewer: Viewer,
  request: { filter: DeviceFilterInput; sort: DeviceSort; descending: boolean; pageSize: number },
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<typeof listDeviceIds>> = await listDeviceIds(deps, viewer, {
      ...request,
      filter: deviceFilterSchema.parse(request.filter),
      cursor,
    });
    expect(page.ids.length).toBeLessThanOrEqual(request.pageSize);
    const mustBeFull = page.complete && page.nextCursor !== null;
    expect(mustBeFull ? page.ids.length : request.pageSize).toBe(request.pageSize);
    ids.push(...page.ids);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== null && pages < 2_000);
  return ids;
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function naive(
  matches: (device: SampleDevice) => boolean,
  order: { sort: DeviceSort; descending: boolean },
): string[] {
  const sign = order.descending ? -1 : 1;
  return fleet
    .filter(matches)
    .toSorted((one, other) => {
      const byKey =
        order.sort === 'lastSeen'
          ? one.seenMs === other.seenMs
            ? 0
            : one.seenMs - other.seenMs
          : compareText(one[order.sort], other[order.sort]);
      return sign * (byKey === 0 ? compareText(one.id, other.id) : byKey);
    })
    .map((device) => device.id);
}

function valueMatches(device: SampleDevice, token: DeviceFilterToken, value: string): boolean {
  switch (token.key) {
    case 'serialNumber':
      return token.operator === '^'
        ? device.serialNumber.startsWith(value)
        : token.operator.endsWith(':')
          ? device.serialNumber.includes(value)
          : device.serialNumber === value;
    case 'name':
      return token.operator === '^' ? device.name.startsWith(value) : device.name === value;
    case 'model':
    case 'country':
    case 'connectivity':
    case 'lifecycle':
      return device[token.key] === value;
    case 'label': {
      const [key = '', wanted] = value.split(':');
      return wanted === undefined ? key in device.labels : device.labels[key] === wanted;
    }
    case 'software':
      return (
        device.software?.some((item) => `${item.component}:${item.version}` === value) ?? false
      );
    case 'lastSeen':
      return token.operator === '>='
        ? device.seenMs >= Date.parse(value)
        : device.seenMs !== -Infinity && device.seenMs <= Date.parse(value);
    case 'added':
      return token.operator === '>='
        ? device.addedMs >= Date.parse(value)
        : device.addedMs <= Date.parse(value);
    case 'failing':
      return device.failing.includes(value);
    case 'tavState':
      return device.tavStates.includes(value);
    default:
      throw new Error(token.key);
  }
}

function tokenMatches(device: SampleDevice, token: DeviceFilterToken): boolean {
  const any = token.values.some((value) => valueMatches(device, token, value));
  return token.operator.startsWith('!') ? !any : any;
}

/** @param isSeen devices visible to the viewer: the interpretation of a text depends only on them */
function textMatches(
  device: SampleDevice,
  text: string,
  isSeen: (other: SampleDevice) => boolean,
): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const serial = text.toUpperCase();
  const begins = (other: SampleDevice) => other.serialNumber.startsWith(serial);
  if (/^DP\d+$/.test(serial) && fleet.some((other) => isSeen(other) && begins(other))) {
    return device.serialNumber.startsWith(serial);
  }
  const searched = [
    device.serialNumber,
    device.name,
    device.ownerName,
    device.model,
    ...Object.values(device.labels),
  ]
    .join(' ')
    .toLowerCase();
  return words.every((word) =>
    word.includes('@') ? (device.ownerEmail?.startsWith(word) ?? false) : searched.includes(word),
  );
}

const token = (
  key: DeviceFilterToken['key'],
  operators: readonly DeviceFilterToken['operator'][],
  values: readonly string[],
) =>
  fc.record({
    key: fc.constant(key),
    operator: fc.constantFrom(...operators),
    values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
  });

const moments = [0, 20, 60].map((hours) => new Date(sampleStart + hours * 3_600_000).toISOString());
const anyToken = fc.oneof(
  token('serialNumber', ['=', '!=', '^', ':', '!:'], ['DP00017', 'DP0002', 'DP001', '33']),
  token('name', ['=', '!=', '^'], ['kiosk-3', 'terminal-1', 'gateway-16']),
  token('model', ['=', '!='], ['kiosk', 'terminal', 'gateway', 'none']),
  token('country', ['=', '!='], ['DE', 'PL', 'NZ', 'XX']),
  token('connectivity', ['=', '!='], ['online', 'degraded', 'offline', 'never']),
  token('lifecycle', ['=', '!='], ['active', 'suspended', 'retired']),
  token('label', ['=', '!='], ['batch:b3', 'batch:b9', 'env:test', 'env', 'none']),
  token('software', ['=', '!='], ['firmware:4.18.1', 'firmware:4.17.9']),
  token('lastSeen', ['>=', '<='], moments),
  token('added', ['>=', '<='], moments),
  token('failing', ['=', '!='], ['disk', 'memory']),
  token(
    'tavState',
    ['=', '!='],
    ['current', 'behind', 'ahead', 'firmware:behind', 'firmware:not-approved', 'radio:behind'],
  ),
);
const anyScope: fc.Arbitrary<Scope> = fc.record({
  countries: fc.constantFrom([], ['NZ'], ['DE', 'PL']),
  models: fc.constantFrom([], [], ['terminal']),
  labels: fc.constantFrom({}, {}, { env: 'test' }),
});
const anyText = fc.constantFrom(
  '',
  '',
  '',
  'kiosk',
  'terminal-1',
  'anna',
  'bo chen',
  'b7',
  'test',
  '7',
  'DP003',
  'dp00399',
  'DP9',
  'anna.p0@',
  'b2 anna',
);

/** The target of a command on all devices in the list. */
async function targetIds(viewer: Viewer, filter: DeviceFilterInput): Promise<string[]> {
  const orm = deps.database.orm;
  const query = await targetQuery(orm, viewer, {
    resolved,
    target: { kind: 'filter', filter: deviceFilterSchema.parse(filter) },
    now: deps.clock(),
  });
  return (await selectTargetDevices(orm, query)).map(({ deviceId }) => deviceId);
}

test('pages, count, and command target equal a naive search for every filter and sort order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        text: anyText,
        tokens: fc.array(anyToken, { maxLength: 3 }),
        operation: fc.constantFrom('and' as const, 'or' as const),
        sort: fc.constantFrom('serialNumber' as const, 'name' as const, 'lastSeen' as const),
        descending: fc.boolean(),
        pageSize: fc.constantFrom(7, 25, 100),
        scopes: fc.array(anyScope, { minLength: 0, maxLength: 2 }),
      }),
      async ({ text, tokens, operation, sort, descending, pageSize, scopes }) => {
        const viewer =
          scopes.length === 0
            ? administrator
            : {
                ...administrator,
                grants: scopes.map((scope) => ({
                  scope,
                  permissions: ['devices:read', 'people:read'] as const,
                })),
              };
        const isSeen = (device: SampleDevice) => scopes.length === 0 || reaches(scopes, device);
        const expected = naive(
          (device) =>
            isSeen(device) &&
            textMatches(device, text, isSeen) &&
            (tokens.length === 0 ||
              (operation === 'and'
                ? tokens.every((each) => tokenMatches(device, each))
                : tokens.some((each) => tokenMatches(device, each)))),
          { sort, descending },
        );
        const filter = { text, tokens, operation };
        expect(await allPages(viewer, { filter, sort, descending, pageSize })).toEqual(expected);
        const count = await countDevices(deps, viewer, deviceFilterSchema.parse(filter));
        expect(count).toEqual({ count: expected.length, exact: true });
        expect(await targetIds(viewer, filter)).toEqual(expected.toSorted());
      },
    ),
    { numRuns: isThorough ? 500 : 80 },
  );
}, 120_000);

test('an incomplete result reports that it is, and how far the search came', async () => {
  const page = await listDeviceIds(deps, administrator, {
    filter: deviceFilterSchema.parse({ text: 'gateway' }),
    sort: 'serialNumber',
    descending: false,
    cursor: null,
    pageSize: 25,
  });
  expect(page).toMatchObject({ ids: [], complete: false, searchedTo: 'DP00029' });
  expect(page.nextCursor).not.toBeNull();
});

test('devices that change between pages neither hide nor repeat others', async () => {
  const request = {
    filter: deviceFilterSchema.parse({}),
    sort: 'serialNumber' as const,
    descending: false,
    pageSize: 50,
  };
  const first = await listDeviceIds(deps, administrator, { ...request, cursor: null });
  await db.database.pool.query("delete from device where serial_number in ('DP00010', 'DP00049')");
  const second = await listDeviceIds(deps, administrator, { ...request, cursor: first.nextCursor });
  const expected = naive(() => true, request).slice(50, 100);
  expect(second.ids).toEqual(expected);
  fleet = fleet.filter((device) => !['DP00010', 'DP00049'].includes(device.serialNumber));
  await db.database.pool.query(
    'delete from device_status s where not exists (select from device d where d.id = s.device_id)',
  );
  await db.database.pool.query(
    'delete from device_label l where not exists (select from device d where d.id = l.device_id)',
  );
  await db.database.pool.query(
    'delete from device_tav t where not exists (select from device d where d.id = t.device_id)',
  );
});

test('without people:read owners are masked and cannot be searched', async () => {
  const viewer = limitedTo({}, ['devices:read']);
  const input = { sort: 'serialNumber' as const, descending: false, cursor: null, pageSize: 100 };
  const { rows } = await listDevices(deps, viewer, {
    ...input,
    filter: deviceFilterSchema.parse({}),
  });
  const names = new Set(rows.flatMap((row) => row.owner?.name ?? []));
  expect([...names].toSorted()).toEqual(['A••• B•••', 'B••• C•••', 'C••• D•••']);
  for (const text of ['anna', 'anna.p0@', '+49151000000']) {
    expect(await allPages(viewer, { ...input, filter: { text } })).toEqual([]);
  }
});

test('a cursor of another sort order is rejected', async () => {
  const request = { filter: deviceFilterSchema.parse({}), descending: false, pageSize: 5 };
  const page = await listDeviceIds(deps, administrator, { ...request, sort: 'name', cursor: null });
  const other = { ...request, sort: 'lastSeen' as const };
  await expect(
    listDeviceIds(deps, administrator, { ...other, cursor: page.nextCursor }),
  ).rejects.toMatchObject({ code: 2004 });
  await expect(
    listDeviceIds(deps, administrator, { ...other, cursor: 'nonsense' }),
  ).rejects.toMatchObject({ code: 2004 });
});
