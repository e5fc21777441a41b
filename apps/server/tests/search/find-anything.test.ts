import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDevicesInput } from '@deviceportal/contract/devices';
import { everywhere } from '@deviceportal/contract/permissions';
import type { SearchAnswer, SearchKind } from '@deviceportal/contract/search';
import { loadBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { builtinConsequences } from '../../src/commands/catalog/builtin-commands.ts';
import { composeSearch } from '../../src/compose/compose-search.ts';
import { idsScattered } from '../../src/devices/data/named-device-queries.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { findAnything, type SearchDeps } from '../../src/search/find-anything.ts';
import { administrator, limitedTo, viewerWith } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let search: SearchDeps;
let ids: ReadonlyMap<string, string>;
const POLISH = { ...everywhere, countries: ['PL'] };
const polish = viewerWith([
  { permissions: ['devices:read', 'people:read', 'commands:read', 'air-blast:run'], scope: POLISH },
]);
const faceless = limitedTo({}, ['devices:read']);
const RUN = '01930000-0000-7000-8000-00000000d001';
const INVOCATION = '01930000-0000-7000-8000-00000000e001';

const person = (username: string, name: string, phone: string) => ({
  username,
  name,
  email: `${username}@example.com`,
  phone,
  country: 'DE',
  language: 'en',
});
const device = (serialNumber: string, country: string, over: object = {}) => ({
  serialNumber,
  name: `kiosk-${serialNumber.slice(-4).toLowerCase()}`,
  model: 'kiosk',
  owner: null,
  country,
  labels: {},
  software: [{ component: 'firmware', version: '1.0' }],
  ...over,
});

beforeAll(async () => {
  db = await createTestDatabase();
  const clock = () => new Date('2026-11-20T12:00:00Z');
  search = composeSearch({ database: db.database, clock });
  ids = await createDevices(db, {
    people: [
      person('anna.mueller', 'Anna Müller', '+4915112345678'),
      person('bo.gonzalez', 'Bo González', '+34600111222'),
      person('wang.wei', '王伟', '+8613800000000'),
    ],
    devices: [
      device('KX100200', 'DE', { owner: 'anna.mueller', labels: { site: 'Rotterdam' } }),
      device('KX100299', 'DE'),
      device('PL777001', 'PL', { owner: 'bo.gonzalez', name: 'Reception terminal' }),
    ],
  });
  await loadBuiltinDocuments({ database: db.database, clock, consequences: builtinConsequences });
  await addInstance('KX100200', 'mi-0123456789abcdef0', '10.20.30.40', 'Lobby-PC');
  await addInstance('KX100299', 'mi-0123456789abcdef1', '10.20.31.41', 'Reception-17');
  await addRun('KX100200');
});
afterAll(() => db[Symbol.asyncDispose]());

async function addInstance(serial: string, id: string, address: string, host: string) {
  await db.database.pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version, architecture,
       agent_version, host_name, ip_address, certificate_fingerprint, certificate_ends_at)
     values ($1, $2, 'current', 'Linux', 'Debian', '13', 'x64', '1.0.0', $3, $4, 'f', now())`,
    [id, ids.get(serial), host, address],
  );
}

async function addRun(serial: string) {
  await db.database.pool.query(
    `insert into command_run (id, idempotency_key, command, document_name, document_version, document_sha256, consequence,
       target, target_sha256, max_concurrency, max_errors, timeout_seconds, execution_timeout_seconds, comment, state,
       status_details, target_count, pending_count, created_by_id, created_by, request_id, deliver_before, expires_at)
     values ($1, $2, 'logs/tail', 'logs-tail', 1, 'x', 'reads', '{}', 'x', '50', '0', 60, 60, 'ticket 4711', 'Success',
       'Success', 1, 0, $2, 'sam@example.com', 'r', now(), now())`,
    [RUN, randomUUID()],
  );
  await db.database.pool.query(
    `insert into invocation (id, run_id, device_id, state, status_details, queued_at, deliver_before, expires_at)
     values ($1, $2, $3, 'Success', 'Success', now(), now(), now())`,
    [INVOCATION, RUN, ids.get(serial)],
  );
}

function find(viewer: Viewer, text: string, kinds: SearchKind[] = []): Promise<SearchAnswer> {
  return findAnything(search, viewer, { input: { text, kinds } });
}
const labelsOf = (answer: SearchAnswer): string[] =>
  answer.groups.flatMap(({ hits }) => hits.map(({ label }) => label));

async function first(text: string, viewer = administrator): Promise<string | undefined> {
  return labelsOf(await find(viewer, text))[0];
}

test('finds a device by each of its names, exactly or in part', async () => {
  const names = [
    'KX100200',
    ' sn: kx100200 ',
    'KX1002',
    '100200',
    'mi-0123456789abcdef0',
    '10.20.30.40',
  ];
  for (const text of [...names, '10.20.', 'lobby-pc', 'rotterdam', 'kiosk-0200']) {
    expect(await first(text), text).toBe('KX100200');
  }
  expect(await first(ids.get('KX100200') ?? '')).toBe('KX100200');
  expect(await first('reception')).toBe('PL777001');
});

test('finds a person by email, by phone number in any format, and by name, also in Chinese', async () => {
  for (const text of [
    'anna.mueller@example.com',
    'anna.m',
    '+49 151 12345678',
    '0151 12345678',
    'müller',
  ]) {
    expect((await find(administrator, text, ['person'])).groups[0]?.hits[0]?.label, text).toBe(
      'Anna Müller',
    );
  }
  expect(await first('王伟')).toBe('王伟');
});

test('ranks a full phone number as exact, with + or 00 before the country code', async () => {
  for (const text of ['+49 151 12345678', '0049 151 12345678', '0049 (151) 123-45678']) {
    const [hit] = (await find(administrator, text, ['person'])).groups[0]?.hits ?? [];
    expect(hit, text).toMatchObject({ label: 'Anna Müller', score: 100 });
  }
});

test('finds a run and its result by id or prefix, a run by comment, and a document by its words', async () => {
  expect((await find(administrator, RUN)).groups[0]?.hits[0]).toMatchObject({
    kind: 'run',
    id: RUN,
  });
  expect((await find(administrator, RUN.slice(0, 13))).groups[0]?.hits[0]?.id).toBe(RUN);
  expect((await find(administrator, INVOCATION)).groups[0]?.hits[0]).toMatchObject({
    kind: 'invocation',
    id: INVOCATION,
  });
  expect((await find(administrator, 'ticket 4711')).groups[0]?.hits[0]?.id).toBe(RUN);
  expect((await find(administrator, 'storage', ['document'])).groups[0]?.kind).toBe('document');
});

test('ranks an exact name first, for every kind', async () => {
  const answer = await find(administrator, 'bo.gonzalez');
  expect(answer.groups[0]).toMatchObject({ kind: 'person', hits: [{ score: 98 }] });
  const serial = await find(administrator, 'KX1002');
  expect(serial.groups[0]?.kind).toBe('device');
  expect(serial.groups[0]?.hits.map(({ label }) => label)).toEqual(['KX100200', 'KX100299']);
});

test('corrects typos in serial numbers, names, places, and addresses', async () => {
  for (const [typed, label] of [
    ['KX1O0200', 'KX100200'],
    ['KX102000', 'KX100200'],
    ['KX10200', 'KX100200'],
    ['ana muler', 'Anna Müller'],
    ['bo gonsales', 'Bo González'],
    ['anna.muelelr@exmaple.com', 'Anna Müller'],
    ['roterdam', 'KX100200'],
    ['recepton', 'PL777001'],
    ['recepton-17', 'KX100299'],
  ] as const) {
    const answer = await find(administrator, typed);
    expect(labelsOf(answer), typed).toContain(label);
    const isExplained = answer.mended !== null || answer.groups[0]?.hits[0]?.why != null;
    expect(isExplained, typed).toBe(true);
    expect(answer.groups[0]?.hits[0]?.score, typed).toBeLessThan(100);
  }
  expect((await find(administrator, 'xyzzyqwv')).groups).toEqual([]);
  // The digits of an unknown address are in serial numbers.
  expect((await find(administrator, '10.0.100.299')).groups).toEqual([]);
});

test('says how a similar name matches', async () => {
  const whyOf = async (text: string) => (await find(administrator, text)).groups[0]?.hits[0]?.why;
  expect(await whyOf('bo gonsales')).toBe('sounds-like');
  expect(await whyOf('王煒')).toBe('sounds-like');
  expect(await whyOf('bo gonzalet')).toBe('similar-spelling');
  expect(await whyOf('anna.mueller@exmaple.com')).toBe('similar-spelling');
  expect(await whyOf('anna.mueller@gmail.com')).toBe('other-domain');
  expect(await whyOf('anna muller')).toBeUndefined();
});

test('finds nothing outside the scope, by any name, corrected or not', async () => {
  const outside = [
    'KX100200',
    'KX1002',
    'mi-0123456789abcdef0',
    '10.20.30.40',
    'lobby-pc',
    'rotterdam',
    'roterdam',
    'recepton-17',
  ];
  for (const text of [
    ...outside,
    'KX1O0200',
    'müller',
    'anna.mueller@example.com',
    RUN,
    INVOCATION,
    'ticket',
  ]) {
    expect((await find(polish, text)).groups, text).toEqual([]);
  }
  expect(labelsOf(await find(polish, 'gonsales'))).toContain('Bo González');
});

test('finds nothing of a kind without its permission, and no devices by the names of owners', async () => {
  for (const text of ['müller', 'gonzález', '+49 151 12345678', 'storage', 'ticket', RUN]) {
    expect((await find(faceless, text)).groups, text).toEqual([]);
  }
  expect(labelsOf(await find(faceless, 'kx1002'))).toHaveLength(2);
});

test('for a word of a large share of the fleet, finds any of the devices within the scope', async () => {
  const { filter } = listDevicesInput.parse({ filter: { text: 'kiosk' } });
  const wanted = { filter, now: new Date('2026-11-20T12:00:00Z'), limit: 10 };
  expect((await idsScattered(db.database.orm, administrator, wanted)).toSorted()).toEqual(
    [...ids.values()].toSorted(),
  );
  expect(await idsScattered(db.database.orm, polish, wanted)).toEqual([ids.get('PL777001')]);
});

test('knows the words of renamed devices and people immediately', async () => {
  await db.database.pool.query(
    `update device set name = 'Observatory', search_text = 'kx100299 observatory' where serial_number = 'KX100299'`,
  );
  expect((await find(administrator, 'obsrevatory')).mended).toBe('observatory');
  await db.database.pool.query(
    `update person set name = 'Bo Kowalczyk' where username = 'bo.gonzalez'`,
  );
  expect(labelsOf(await find(administrator, 'kowalcyzk'))).toContain('Bo Kowalczyk');
});
