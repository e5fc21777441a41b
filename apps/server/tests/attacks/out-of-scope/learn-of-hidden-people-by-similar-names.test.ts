import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import type { SearchAnswer } from '@deviceportal/contract/search';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { findAnything, type SearchDeps } from '../../../src/search/find-anything.ts';
import { administrator, limitedTo, viewerWith } from '../../devices/viewer-with.ts';
import { openWantedSearch } from '../../search/wanted/open-wanted-search.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let db: TestDatabase;
let search: SearchDeps;
const readsAll: Permission[] = ['devices:read', 'people:read', 'commands:read', 'documents:read'];
/** Sees one device and its owner, Łukasz Wiśniewski. */
const polish = limitedTo({ countries: ['PL'] }, [...readsAll, 'commands:run:@reads']);
const labelled = limitedTo({ labels: { site: 'Nowa Huta' } }, readsAll);
/** Sees all devices, but no people. */
const withoutPeople = limitedTo({}, ['devices:read', 'commands:read']);

beforeAll(async () => {
  db = await createTestDatabase();
  search = await openWantedSearch(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

const find = (viewer: Viewer, text: string): Promise<SearchAnswer> =>
  findAnything(search, viewer, { input: { text, kinds: [] } });

/** A command of the catalog is no secret. */
const revealing = (answer: SearchAnswer) => ({
  labels: answer.groups
    .filter(({ kind }) => kind !== 'document')
    .flatMap(({ hits }) => hits.map(({ label }) => label)),
  suggestions: answer.suggestions.filter(({ kind }) => kind !== 'command'),
  mended: answer.mended,
});
const nothing = { labels: [], suggestions: [], mended: null };

test.each([
  'Ana Weber',
  'Weber Anna',
  'jurgen grossmann',
  'wang weiqiang',
  '王偉強',
  'anna.weber33@example.con',
  'ana.weber33@example.com',
  'locker-koln-151',
  'LK2DE9O151',
  'buchannan',
])('a person or device outside the scope is not found by %j', async (text) => {
  expect(revealing(await find(administrator, text)).labels).not.toEqual([]);
  for (const viewer of [polish, labelled]) {
    expect(revealing(await find(viewer, text)), text).toEqual(nothing);
  }
});

test('people are not found by sound or by an address without the permission', async () => {
  for (const text of ['Ana Weber', 'wang weiqiang', 'anna.weber33@example.con']) {
    expect(revealing(await find(withoutPeople, text)), text).toEqual(nothing);
  }
});

test('the own part of the fleet is found in the same ways', async () => {
  for (const viewer of [polish, labelled]) {
    expect(revealing(await find(viewer, 'Lucas Wisniewsky')).labels).toEqual(['Łukasz Wiśniewski']);
    expect(revealing(await find(viewer, 'gateway krakow 007')).labels).toEqual(['GW1PL90007']);
  }
});

test('models, labels, and versions outside the scope are not suggested, and only devices within it are counted', async () => {
  for (const text of ['K310', 'Umeda', '7.7.7', 'offline K310', 'offline Umeda', 'offline 9.9.1']) {
    expect((await find(administrator, text)).suggestions, text).not.toEqual([]);
    expect((await find(polish, text)).suggestions, text).toEqual([]);
  }
  const counted = await find(polish, 'offline');
  expect(counted.suggestions[0]).toMatchObject({ devices: { count: 1, isExact: true } });
  const abroad = await find(polish, 'offline germany');
  expect(abroad.suggestions[0]).toMatchObject({ devices: { count: 0, isExact: true } });
});

test('a command is offered on a device only to viewers who can run it there', async () => {
  const offered = async (viewer: Viewer, text: string) =>
    (await find(viewer, text)).suggestions.map(
      (each) => `${each.kind} ${'command' in each ? each.command : ''}`,
    );
  expect(await offered(polish, 'show logs GW1PL90007')).toEqual(['run logs/tail']);
  expect(await offered(polish, 'restart GW1PL90007')).toEqual([]);
  expect(await offered(polish, 'reboot')).toEqual([]);
  const runsInPoland = viewerWith([
    { permissions: readsAll, scope: everywhere },
    { permissions: ['commands:run:@disrupts'], scope: { ...everywhere, countries: ['PL'] } },
  ]);
  expect(await offered(runsInPoland, 'restart GW1PL90007')).toEqual(['run restart/device']);
  expect(await offered(runsInPoland, 'restart LK2DE90151')).toEqual([]);
  const answer = await find(runsInPoland, 'restart LK2DE90151');
  expect(revealing(answer).labels).toEqual(['LK2DE90151']);
});

test('any text is searched without an error', async () => {
  const pieces = [
    "'",
    '\\',
    '&',
    '|',
    '!',
    ':*',
    '(',
    '~',
    '@',
    '%',
    '_',
    '"',
    'ü',
    '王',
    'a',
    '1',
    ' ',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const input = parts.join('').replaceAll('\0', '');
      if (input.trim() !== '') await find(administrator, input);
    }),
    { numRuns: 60 },
  );
  await find(administrator, 'ab '.repeat(166));
  await find(administrator, `${'a.'.repeat(100)}@${'b.'.repeat(100)}`);
}, 60_000);
