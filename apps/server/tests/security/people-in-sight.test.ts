import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { createClaim } from '../../src/devices/claims/create-claim.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import type { DevicesDependencies } from '../../src/devices/devices-dependencies.ts';
import { addNote, listNotes, removeNote } from '../../src/devices/device-notes.ts';
import { createTargetList } from '../../src/devices/list/target-lists.ts';
import { listClaims } from '../../src/devices/claims/list-claims.ts';
import { suggestValues } from '../../src/devices/list/suggest-values.ts';
import { updateDevice } from '../../src/devices/update-device.ts';
import { listPeople } from '../../src/people/list-people.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { requestUserReport } from '../../src/reports/request-user-report.ts';
import { composeSearch } from '../../src/compose/compose-search.ts';
import { findAnything } from '../../src/search/find-anything.ts';
import { administrator, callerOf, limitedTo, viewerWith } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let deps: DevicesDependencies;
let ids: ReadonlyMap<string, string>;
const ANNA = '01900000-0000-7000-8000-00000000a00a';
const BO = '01900000-0000-7000-8000-00000000b00b';
const polish = limitedTo({ countries: ['PL'] }, ['devices:read', 'devices:manage', 'people:read']);
/** Sees all devices, and people in Poland. */
const halfSighted = viewerWith([
  { permissions: ['devices:read'], scope: everywhere },
  { permissions: ['people:read'], scope: { ...everywhere, countries: ['PL'] } },
]);
const faceless = limitedTo({}, ['devices:read', 'devices:manage']);
const other = (viewer: Viewer): Viewer => ({
  ...viewer,
  userId: '01900000-0000-7000-8000-00000000cccc',
  username: 'other@example.com',
  displayName: 'Other Person',
});

beforeAll(async () => {
  db = await createTestDatabase();
  deps = {
    database: db.database,
    changes: createLocalChangeFeed(() => {}),
    clock: () => new Date('2026-11-20T12:00:00Z'),
    installCommand: async (token: string) => `install --claim ${token}`,
  };
  const person = (id: string, username: string, name: string) => ({
    id,
    username,
    name,
    email: `${username}@example.com`,
    phone: null,
    country: null,
    language: null,
  });
  const device = (serialNumber: string, country: string, owner: string) => ({
    serialNumber,
    name: serialNumber,
    model: 'kiosk',
    owner,
    country,
    labels: {},
    software: [{ component: `firmware-${country}`, version: '1.0' }],
  });
  ids = await createDevices(deps, {
    people: [person(ANNA, 'anna', 'Anna Berg'), person(BO, 'bo', 'Bo Chen')],
    devices: [device('GERM0001', 'DE', 'anna'), device('POLE0001', 'PL', 'bo')],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const page = { text: '', pageSize: 25 as const, cursor: null };
async function find(viewer: Viewer, text: string) {
  const { groups } = await findAnything(composeSearch(deps), viewer, {
    input: { text, kinds: [] },
  });
  return groups.flatMap(({ hits }) => hits);
}

describe('people without people:read', () => {
  test('[mask-1] neither the rows, nor the cursor, nor the order of the list tells their names', async () => {
    const people = await listPeople(deps, faceless, { ...page, pageSize: 1 as 25 });
    const told = `${JSON.stringify(people)}${Buffer.from(people.nextCursor ?? '', 'base64url').toString()}`;
    expect(people.nextCursor).not.toBeNull();
    expect(told).not.toMatch(/Anna|Berg|Bo |Chen|example/);
    const next = await listPeople(deps, faceless, { ...page, cursor: people.nextCursor });
    expect([...people.rows, ...next.rows].map(({ id }) => id)).toEqual([ANNA, BO]);
  });

  test('[mask-2] a right to see people within a scope shows the others masked, and does not find them', async () => {
    const { rows } = await listPeople(deps, halfSighted, page);
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['A••• B•••', 'Bo Chen']));
    expect((await listPeople(deps, halfSighted, { ...page, text: 'anna' })).rows).toEqual([]);
    expect((await listPeople(deps, halfSighted, { ...page, text: 'chen' })).rows).toHaveLength(1);
  });

  test('[mask-3] who wrote a note or made a claim is masked for others, and not for themselves', async () => {
    const deviceId = ids.get('GERM0001') ?? '';
    const note = await addNote(deps, callerOf(other(administrator)), { deviceId, text: 'hello' });
    expect((await listNotes(deps, faceless, deviceId)).map(({ author }) => author)).toEqual([
      'O••• P•••',
    ]);
    expect((await listNotes(deps, other(faceless), deviceId))[0]?.author).toBe('Other Person');
    expect((await listNotes(deps, administrator, deviceId))[0]?.author).toBe('Other Person');
    const claim = {
      model: null,
      ownerId: null,
      country: null,
      labels: {},
      uses: 1,
      lifetimeHours: 1,
    };
    await createClaim(deps, callerOf(other(administrator)), { ...claim, device: null });
    const claims = await listClaims(deps, faceless, { pageSize: 1, cursor: null });
    expect(claims.rows[0]?.createdBy).toBe('o•••');
    await removeNote(deps, callerOf(administrator), note.id);
    const { rows } = await db.database.pool.query(
      "select data::text from audit_event where type = 'device.note-removed'",
    );
    expect(rows[0].data).not.toContain('Other Person');
  });
});

describe('what lies outside the scope', () => {
  test('[person-scope-1] people who own no device in it are neither searched nor suggested', async () => {
    expect(await find(polish, 'anna')).toEqual([]);
    expect((await find(polish, 'chen')).map(({ label }) => label)).toContain('Bo Chen');
    expect(await suggestValues(deps, polish, { key: 'owner', text: 'anna' })).toEqual([]);
    expect(await suggestValues(deps, polish, { key: 'owner', text: 'bo' })).toHaveLength(1);
  });

  test('[person-scope-2] they become nobody’s owner, by a change or by a claim', async () => {
    const nobody = {
      code: 2004,
      reason: 'owner-unknown',
      issues: [{ path: ['ownerId'] }],
    };
    const id = ids.get('POLE0001') ?? '';
    await expect(updateDevice(deps, callerOf(polish), { id, ownerId: ANNA })).rejects.toMatchObject(
      nobody,
    );
    const claim = {
      model: null,
      country: 'PL',
      labels: {},
      uses: 1,
      lifetimeHours: 1,
      device: null,
    };
    await expect(
      createClaim(deps, callerOf(polish), { ...claim, ownerId: ANNA }),
    ).rejects.toMatchObject(nobody);
    await expect(
      createClaim(deps, callerOf(polish), { ...claim, ownerId: BO }),
    ).resolves.toMatchObject({ uses: 1 });
  });

  test('[person-scope-3] a right to make reports reaches the people within its own scope', async () => {
    const viewer = viewerWith([
      { permissions: ['devices:read', 'people:read'], scope: everywhere },
      { permissions: ['reports:create'], scope: { ...everywhere, countries: ['PL'] } },
    ]);
    const reports = { ...deps, startReport: async () => {}, reportDays: 30 };
    await expect(requestUserReport(reports, viewer, { personId: ANNA })).rejects.toMatchObject({
      code: 2003,
    });
    await expect(requestUserReport(reports, viewer, { personId: BO })).resolves.toMatchObject({
      reportId: expect.any(String),
    });
  });

  test('[suggest-scope-1] software that only others run is not suggested', async () => {
    const values = async (viewer: Viewer, text: string) =>
      (await suggestValues(deps, viewer, { key: 'software', text })).map(({ value }) => value);
    expect(await values(polish, 'firmware')).toEqual(['firmware-PL']);
    expect(await values(polish, 'firmware-DE:')).toEqual([]);
    expect(await values(administrator, 'firmware-DE:')).toEqual(['firmware-DE:1.0']);
  });

  test('[target-list-scope-1] a pasted list does not tell which serial numbers exist elsewhere', async () => {
    const text = 'SNGERM0001 SNNONE0001 SNPOLE0001';
    const list = await createTargetList(deps, polish, { name: '', text });
    expect(list).toMatchObject({ count: 3, found: 1, missing: ['SNGERM0001', 'SNNONE0001'] });
  });
});
