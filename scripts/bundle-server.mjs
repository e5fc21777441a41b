import { existsSync, globSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { build } from 'rolldown';
import { root } from './paths.mjs';

/**
 * Bundles the server's own sources and the libraries with many small modules, which took two thirds
 * of the time of a start to find and read. Other libraries and everything optional are still loaded
 * from node_modules.
 */

const server = join(root, 'apps', 'server');
const target = join(server, 'dist', 'server');
/** ES modules without files of their own at run time. */
const bundledLibraries = new Set([
  ...['@levischuck/tiny-cbor', '@simplewebauthn/server', '@trpc/server', 'age-encryption'],
  ...[
    'cron-parser',
    'csv-parse',
    'csv-stringify',
    'd3-array',
    'd3-geo',
    'drizzle-orm',
    'internmap',
  ],
  ...['jose', 'libphonenumber-js', 'superjson', 'yaml', 'zod'],
]);
const bundledScopes = ['@deviceportal/', '@noble/', '@peculiar/', '@scure/'];
const SOURCE_OF = '\0source-of';

const workers = globSync('{apps/server,packages/identity}/src/**/*-worker.ts', {
  cwd: root,
  exclude: (path) => basename(path).startsWith('compose-'),
});
const commands = globSync('apps/server/src/cli/*-command.ts', { cwd: root });
const workerNames = new Set(workers.map((file) => basename(file, '.ts')));

const isOwn = (file) =>
  file.startsWith(join(root, 'apps') + sep) || file.startsWith(join(root, 'packages') + sep);

/** Sources find files next to them, and workers in the bundle. */
const sourcePlaces = {
  name: 'source-places',
  resolveId: (id) => (id === SOURCE_OF ? id : null),
  load: (id) =>
    id === SOURCE_OF
      ? `import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
export const sourceOf = (path) => {
  const url = new URL('../../../../' + path, import.meta.url).href;
  return { url, dirname: dirname(fileURLToPath(url)) };
};`
      : null,
  transform(code, id) {
    if (!isOwn(id) || id.includes(`${sep}node_modules${sep}`) || !code.includes('import.meta'))
      return null;
    const withWorkers = code.replaceAll(
      /new URL\('([\w-]+)\.ts', import\.meta\.url\)/g,
      (place, name) =>
        workerNames.has(name) ? `new URL('./${name}.mjs', import.meta['url'])` : place,
    );
    const placed = withWorkers.replaceAll(/import\.meta\.(url|dirname)\b/g, 'sourcePlace.$1');
    if (placed === withWorkers) return { code: placed, map: null };
    const path = JSON.stringify(relative(root, id).replaceAll(sep, '/'));
    // On the first line, so that the others keep their numbers.
    const head = `import { sourceOf } from '${SOURCE_OF}'; const sourcePlace = sourceOf(${path}); `;
    return { code: head + placed, map: null };
  },
};

/** A library that is installed for one package only is not found from the bundle. */
function isBundled(id, importer) {
  const name = id.split('/', id.startsWith('@') ? 2 : 1).join('/');
  if (bundledLibraries.has(name) || bundledScopes.some((scope) => id.startsWith(scope)))
    return true;
  const [owner] = importer?.match(/^.*[/\\]packages[/\\][^/\\]+(?=[/\\]src)/) ?? [];
  return owner !== undefined && existsSync(join(owner, 'node_modules', name));
}

/** The text of a tagged template cannot be escaped. @throws if the largest chunk has wide characters */
function requireOneByte(chunks) {
  const { code } = chunks.find(({ name }) => name === 'compose');
  const wide = code.split('\n').find((line) => /[^\0-\u00ff]/.test(line));
  if (wide !== undefined) throw new Error(`Use an expression for the wide characters in: ${wide}`);
}

const building = `${target}-${process.pid}`;
const { output } = await build({
  input: Object.fromEntries([
    ['server', join(server, 'src', 'main.ts')],
    ...[...workers, ...commands].map((file) => [basename(file, '.ts'), join(root, file)]),
  ]),
  platform: 'node',
  external: (id, importer) => /^[@a-z]/i.test(id) && !isBundled(id, importer),
  plugins: [sourcePlaces],
  output: {
    dir: building,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunk-[name]-[hash].mjs',
    sourcemap: true,
    // V8 keeps a source in one byte for each character if it can, and as long as its functions are used.
    charset: 'ascii',
    comments: false,
  },
  logLevel: 'warn',
  checks: { sourcemapBroken: false },
});
requireOneByte(output);
await rm(target, { recursive: true, force: true });
await rename(building, target);
