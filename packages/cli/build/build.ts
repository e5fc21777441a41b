import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Builds the published file: one module with its libraries, so that `npx` downloads one package, and the licenses of the
 * libraries.
 */
const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
const program = join(dist, 'deviceportal.mjs');

await rm(dist, { recursive: true, force: true });
await using bundle = await rolldown({
  input: join(folder, 'src/main.ts'),
  platform: 'node',
});
const { output } = await bundle.write({
  ...{ file: program, format: 'esm', codeSplitting: false, banner: '#!/usr/bin/env node' },
});
await chmod(program, 0o755);
const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(modules));

async function licensesOf(paths: readonly string[]): Promise<string> {
  const packages = new Set(
    paths.flatMap((path) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const texts = [...packages].toSorted().map(async (path) => {
    const { name, version } = createRequire(import.meta.url)(join(path, 'package.json')) as {
      readonly name: string;
      readonly version: string;
    };
    const file = (await readdir(path)).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} in ${dirname(path)} has no license file`);
    return `${name} ${version}\n\n${(await readFile(join(path, file), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}
