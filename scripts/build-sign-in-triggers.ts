import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Builds the file for AWS Lambda of a hosted user pool: a single module for Node 22 or newer. `node
 * scripts/build-sign-in-triggers.ts [FOLDER]`; default folder: `dist/sign-in-triggers`.
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
