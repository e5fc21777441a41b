import type { Viewer } from '../apps/server/src/platform/viewer.ts';
import { findAnything, type SearchDeps } from '../apps/server/src/search/find-anything.ts';
import { firstResult } from '../apps/server/tests/search/wanted/first-result.ts';
import { openWantedSearch } from '../apps/server/tests/search/wanted/open-wanted-search.ts';
import { wantedSearches } from '../apps/server/tests/search/wanted/wanted-searches.ts';
import { administrator } from './support/administrator.ts';
import { fillInstalledFleet } from './support/fill-installed-fleet.ts';
import { inPoland, openFleetFixture, within } from './support/fleet-fixture.ts';
import { percentile } from './support/portal-process.ts';
import { nameOf } from './support/people-names.ts';
import { readFleetSize } from './support/read-fleet-size.ts';

const LIMIT_MS = 50;
const ASKED_OF_EACH = 40;
const WANTED_SHARE = 0.95;

const viewers = [
  { viewer: administrator, title: 'sees everything' },
  { viewer: inPoland, title: 'sees one country and label' },
  { viewer: within({ countries: ['CN', 'NZ'] }), title: 'sees two countries' },
  { viewer: within({ labels: { env: 'test' } }), title: 'sees one label' },
];

/** Measures the global search on a separate database: `--size 1000000 --keep-in <folder>`. */
async function main(): Promise<void> {
  const { size, keepIn } = readFleetSize();
  await using setup = await openFleetFixture({
    keepIn,
    maxConnections: 10,
    fill: (database) => fillInstalledFleet(database, size),
  });
  const { database, filledMs } = setup;
  console.log(`${size.toLocaleString('en')} devices (filled in ${(filledMs / 1000).toFixed(1)} s)`);
  const search = await openWantedSearch(database);
  const rightShare = await shareOfWanted(search);
  const worst: number[] = [];
  for (const { viewer, title } of viewers) {
    worst.push(await measure(search, { viewer, size, title }));
    worst.push(await measureWanted(search, viewer));
  }
  const ratio = Math.max(...worst) / LIMIT_MS;
  console.log(`ratio to the limit of ${LIMIT_MS} ms: ${ratio.toFixed(2)}`);
  if (ratio > 1 || rightShare < WANTED_SHARE) process.exitCode = 1;
}

/** The share of the wanted searches whose first result is the wanted one, for a viewer who sees everything. */
async function shareOfWanted(search: SearchDeps): Promise<number> {
  let right = 0;
  for (const { text, first } of wantedSearches) {
    const answer = await findAnything(search, administrator, { input: { text, kinds: [] } });
    const found = firstResult(answer);
    if (found === first) right += 1;
    else console.log(`  ${text}: ${found} instead of ${first}`);
  }
  const share = right / wantedSearches.length;
  console.log(
    `wanted result first: ${right} of ${wantedSearches.length} (${(share * 100).toFixed(1)} %)`,
  );
  return share;
}

/** @returns the p99 of the wanted searches, in ms */
async function measureWanted(search: SearchDeps, viewer: Viewer): Promise<number> {
  const found: { readonly ms: number; readonly text: string }[] = [];
  for (const { text } of wantedSearches) {
    const startedMs = performance.now();
    await findAnything(search, viewer, { input: { text, kinds: [] } });
    found.push({ ms: performance.now() - startedMs, text });
  }
  const p99 = percentile(
    found.map(({ ms }) => ms),
    0.99,
  );
  const slowest = found.toSorted((one, other) => other.ms - one.ms).slice(0, 5);
  console.log(
    `  ${'the wanted searches'.padEnd(30)} p99 ${p99.toFixed(1)} ms, slowest: ` +
      slowest.map(({ ms, text }) => `${text} ${ms.toFixed(0)}`).join(', '),
  );
  return p99;
}

type Ask = (n: number, size: number) => string;
const serial = (n: number): string => `DP${String(n).padStart(7, '0')}`;
const firstNames = ['anna', 'bo', 'cara', 'dan', 'eva', 'finn', 'gita', 'hugo'];
const emailOf = (n: number): string => `${firstNames[n % 8]}.${n.toString(16)}@example.com`;
const idOf = (n: number): string =>
  `${n.toString(16).padStart(8, '0')}-0000-7000-8000-00000000000a`;
const ownerOf = (n: number, size: number): number => n % Math.max(1, Math.floor(size / 2));

const asks: Readonly<Record<string, Ask>> = {
  'a serial number': serial,
  'the beginning of one': (n) => serial(n).slice(0, 4 + (n % 5)),
  'a piece of one': (n) => serial(n).slice(4),
  'a device id': idOf,
  'an address': (n) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  'the beginning of an address': (n) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.`,
  'a host name': (n) => `host-${serial(n).toLowerCase()}`,
  'an e-mail': (n, size) => emailOf(ownerOf(n, size)),
  'a piece of an e-mail': (n, size) => emailOf(ownerOf(n, size)).split('@')[0] ?? '',
  'a phone number': (n, size) => `0151 ${String(ownerOf(n, size)).padStart(8, '0')}`,
  'a name': (n, size) => nameOf(ownerOf(n, size)),
  'a first name': (n) => firstNames[n % 8] ?? '',
  'a name in another order': (n, size) =>
    nameOf(ownerOf(n, size)).split(' ').toReversed().join(' '),
  'a name that sounds alike': (n) =>
    ['Ana Weaver', 'Stefen Schneyder', 'Fillip Maier', 'Kristine Fischa'][n % 4] ?? '',
  'a Chinese name in pinyin': (n) => ['wang wei', 'li nawei', 'zhangmin', 'liu yang'][n % 4] ?? '',
  'a command': (n) => ['reboot', 'clean disk', '重启', 'show logs'][n % 4] ?? '',
  'a command on a device': (n) => `${['restart', '重启', 'collect logs'][n % 3]} ${serial(n)}`,
  'a state and a country': (n) =>
    ['offline germany', '离线 德国', 'online poland', 'degraded new zealand', 'never france'][
      n % 5
    ] ?? '',
  'a state, a model, and a country': (n) =>
    `degraded ${['beacon', 'camera', 'drone', 'gateway'][n % 4]} poland`,
  'a state and a label': (n) => `offline s${n % 2000}`,
  'a label': (n) => `s${n % 2000}`,
  'a model': (n) => ['beacon', 'camera', 'drone', 'gateway'][n % 4] ?? '',
  'two letters': (n) => ['an', 'dp', 'be', 'xq', 'zz', '10'][n % 6] ?? '',
  'three letters': (n) => ['com', 'exa', 'ann', 'kio', 'xqz', 'erg'][n % 6] ?? '',
  'a document': (n) => ['storage', 'restart', 'logs tail', 'factory-reset'][n % 4] ?? '',
  'a serial number with an error': (n) => `${serial(n).slice(0, 3)}O${serial(n).slice(4)}`,
  'a name with an error': (n, size) => nameOf(ownerOf(n, size)).replace(/e/i, 'w'),
  'a word with two errors': (n) => ['gatwayy', 'camrea', 'terninel', 'scannner'][n % 4] ?? '',
  'an e-mail with an error': (n, size) => emailOf(ownerOf(n, size)).replace('exam', 'exma'),
  'what there is not': (n) => `quuxly${String.fromCodePoint(97 + (n % 26))}vwt`,
};

/** @returns the worst p99 of all searches, in ms */
async function measure(
  search: SearchDeps,
  run: { readonly viewer: Viewer; readonly size: number; readonly title: string },
): Promise<number> {
  console.log(`\nwho ${run.title}:`);
  const all: number[] = [];
  for (const [title, ask] of Object.entries(asks)) {
    const found: number[] = [];
    let answered = 0;
    let worst = { ms: 0, text: '' };
    // Warm-up rounds for data that is not cached yet.
    for (let round = -3; round < ASKED_OF_EACH; round += 1) {
      const n = Math.floor(((round + 4) * 7919 * 104_729) % run.size);
      const text = ask(n, run.size);
      const startedMs = performance.now();
      const answer = await findAnything(search, run.viewer, { input: { text, kinds: [] } });
      if (round < 0) continue;
      const ms = performance.now() - startedMs;
      found.push(ms);
      if (ms > worst.ms) worst = { ms, text };
      if (answer.groups.length > 0) answered += 1;
    }
    all.push(...found);
    const [p50, p99] = [percentile(found, 0.5), percentile(found, 0.99)];
    console.log(
      `  ${title.padEnd(30)} p50 ${p50.toFixed(1).padStart(6)}  p99 ${p99.toFixed(1).padStart(6)} ms` +
        `  ratio ${(p99 / LIMIT_MS).toFixed(2)}  answered ${answered} of ${ASKED_OF_EACH}  worst: ${worst.text}`,
    );
  }
  const p99 = percentile(all, 0.99);
  console.log(
    `  ${'all'.padEnd(30)} p50 ${percentile(all, 0.5).toFixed(1).padStart(6)}  p99 ${p99.toFixed(1).padStart(6)} ms`,
  );
  return p99;
}

await main();
