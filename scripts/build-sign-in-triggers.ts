import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Makes the file that AWS Lambda runs for a hosted user pool: everything in one module, for Node 22 or newer.
 * `node scripts/build-sign-in-triggers.ts [FOLDER]`; the folder is `dist/sign-in-triggers` unless named.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? `${root}/dist/sign-in-triggers`);

await using bundle = await rolldown({
  input: `${root}/apps/server/src/sign-in-lambda.ts`,
  platform: 'node',
});
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: 'index.mjs',
  codeSplitting: false,
  minify: true,
});
const bytes = output.reduce((sum, file) => sum + (file.type === 'chunk' ? file.code.length : 0), 0);
process.stdout.write(`${folder}/index.mjs (${Math.ceil(bytes / 1024)} KiB)\n`);
