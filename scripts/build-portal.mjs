import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { findNode, root } from './paths.mjs';
import { runCommand, secondsSince } from './run-command.mjs';

const portal = join(root, 'apps', 'portal');
const stamp = join(root, '.cache', 'portal-build');
const INPUTS = [
  'apps/portal',
  'docs/guides',
  'docs/images',
  'packages/audit-proof/src',
  'packages/contract/src',
  'packages/identity-client/src',
];
const INPUT_FILES = ['package-lock.json', 'docs/glossary.md'];
const IGNORED = new Set(['node_modules', 'dist', '.cache']);

/** Builds the portal if any of its inputs has changed since the last build. */
export async function buildPortal() {
  if (!existsSync(join(portal, 'vite.config.ts'))) return;
  const inputs = hashOfInputs();
  const isCurrent =
    existsSync(join(portal, 'dist', 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === inputs;
  if (isCurrent) return;
  const startedAt = performance.now();
  process.stdout.write('Building the portal …\n');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const build = ['build', '--logLevel', 'warn'];
  const { code } = await runCommand(findNode(), [vite, ...build], { cwd: portal });
  if (code !== 0) throw new Error('The portal could not be built. See the lines above.');
  await compressFiles(join(portal, 'dist'));
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(stamp, inputs);
  process.stdout.write(`Built the portal in ${secondsSince(startedAt)}.\n`);
}

/** By names and contents, because file times are not meaningful after a clone. */
function hashOfInputs() {
  const hash = createHash('sha256');
  for (const input of INPUT_FILES.filter((name) => existsSync(join(root, name)))) {
    hash.update(readFileSync(join(root, input)));
  }
  for (const input of INPUTS) addToHash(hash, join(root, input), input);
  return hash.digest('hex');
}

function addToHash(hash, path, name) {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }).toSorted(byName)) {
    if (IGNORED.has(entry.name)) continue;
    const below = join(path, entry.name);
    if (entry.isDirectory()) addToHash(hash, below, `${name}/${entry.name}`);
    else if (entry.isFile()) hash.update(`${name}/${entry.name}\0`).update(readFileSync(below));
  }
}

function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

const COMPRESSED = new Set(['.js', '.mjs', '.css', '.html', '.svg', '.json', '.geojson']);
const LEAST_BYTES = 1024;

/** Compresses files once instead of for each request. */
async function compressFiles(folder) {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((name) => COMPRESSED.has(extname(name)));
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (content.length < LEAST_BYTES) return;
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      const [small, compatible] = await Promise.all([
        promisify(brotliCompress)(content, { params: quality }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      await Promise.all([writeFile(`${path}.br`, small), writeFile(`${path}.gz`, compatible)]);
    }),
  );
}
