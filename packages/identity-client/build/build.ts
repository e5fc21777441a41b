import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown, type OutputOptions } from 'rolldown';

/**
 * Builds the published files: tree-shakable ES modules, one CommonJS file, one script file, and
 * types.
 */
const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');

async function bundle(output: OutputOptions, external: RegExp[]): Promise<void> {
  await using made = await rolldown({
    input: join(folder, 'src/index.ts'),
    external,
    treeshake: { moduleSideEffects: false },
  });
  await made.write({ ...output, sourcemap: false });
}

async function makeTypes(): Promise<void> {
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const project = join(folder, 'tsconfig.build.json');
  await promisify(execFile)(process.execPath, [compiler, '-p', project]);
}

const packages = [/^@fingerprintjs\//, /^@noble\//, /^sm-crypto-v2$/];

await rm(dist, { recursive: true, force: true });
await Promise.all([
  bundle({ dir: join(dist, 'esm'), format: 'esm', preserveModules: true }, packages),
  bundle(
    { file: join(dist, 'identity-client.cjs'), format: 'cjs', codeSplitting: false },
    packages,
  ),
  bundle(
    {
      file: join(dist, 'identity-client.min.js'),
      ...{ format: 'iife', name: 'identityClient', codeSplitting: false, minify: true },
    },
    [],
  ),
  makeTypes(),
]);
