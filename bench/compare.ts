/**
 * Benchmarks two builds alternately on one machine, so that its load affects both: medians of the
 * rounds, and the ratio of costs. `npm run bench:compare -- BEFORE [--after REF] [--rounds 5]
 * [--bench a,b]`. A benchmark can have arguments: `--bench 'device-list --sizes 100000'`.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareFigures, readFigures, type Comparison, type Figure } from './compare/figures.ts';

const root = resolve(import.meta.dirname, '..');
const LIMIT = 1.05;
const DEFAULT_BENCHES = ['fan-out', 'events', 'first-line', 'sign-in', 'tokens', 'idle'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    after: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    bench: { type: 'string', default: DEFAULT_BENCHES.join(',') },
  },
});
const [before] = positionals;
if (before === undefined)
  throw new Error('Say what to compare with: npm run bench:compare -- BEFORE (any git revision)');

await using cleanup = new AsyncDisposableStack();
const folders = {
  before: await checkOut(before),
  after: values.after === undefined ? root : await checkOut(values.after),
};
for (const bench of values.bench.split(',')) await compare(bench, Number(values.rounds));

async function checkOut(revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dp-compare-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  cleanup.defer(async () => {
    git('worktree', 'remove', '--force', folder);
    await rm(folder, { recursive: true, force: true });
  });
  git('worktree', 'add', '--detach', folder, revision);
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quietly], { cwd: folder, stdio: 'inherit' });
  return folder;
}

async function compare(bench: string, rounds: number): Promise<void> {
  const figures = { before: [] as Figure[][], after: [] as Figure[][] };
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, because the second build finds warm file caches.
    const order = round % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
    for (const build of order)
      figures[build].push(readFigures(await run(folders[build], `bench:${bench}`)));
  }
  console.log(`\n${bench}, median of ${rounds} rounds by turns`);
  for (const comparison of compareFigures(figures.before, figures.after)) print(comparison);
}

/** Output of the benchmark. One that exceeds its limit exits with 1 and is compared anyway. */
async function run(folder: string, script: string): Promise<string> {
  const [name = '', ...args] = script.split(' ');
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && code !== 1) throw new Error(`${script} ended with ${code}`);
  if (readFigures(output).length === 0) throw new Error(`${script} printed no figure:\n${output}`);
  return output;
}

function print({ name, before: earlier, after: later, cost }: Comparison): void {
  const verdict = cost <= LIMIT ? 'held' : 'NOT HELD';
  console.log(
    `  ${cost.toFixed(3)} ${verdict.padEnd(8)} ${String(earlier).padStart(10)} -> ${String(later).padEnd(10)} ${name}`,
  );
  if (cost > LIMIT) process.exitCode = 1;
}
