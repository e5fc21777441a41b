/**
 * Bundles the agent into one file for Node 22 or newer: `node apps/agent/src/build-bundle.ts
 * [outfile]`.
 */

import { build } from 'esbuild';
import { join } from 'node:path';

const agentRoot = join(import.meta.dirname, '..');

const common = { bundle: true, platform: 'node', format: 'esm', target: 'node22' } as const;

/**
 * Bundles the launcher, which starts the agent as a service from a separate file next to the
 * program.
 */
export async function buildLauncher(): Promise<string> {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [join(agentRoot, 'src/program/launcher.ts')],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Writes the bundle (by default `apps/agent/dist/agent.mjs`) and returns its path. */
export async function buildBundle(outfile = join(agentRoot, 'dist/agent.mjs')): Promise<string> {
  await build({
    ...common,
    entryPoints: [join(agentRoot, 'src/main.ts')],
    outfile,
    define: { LAUNCHER_SOURCE: JSON.stringify(await buildLauncher()) },
    minify: false,
    sourcemap: false,
    legalComments: 'eof',
    // CommonJS libraries call require() for Node's built-in modules.
    banner: {
      js: "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
    },
    // Optional dependencies of ws and systeminformation that are not included.
    external: ['bufferutil', 'utf-8-validate', 'osx-temperature-sensor'],
    logLevel: 'warning',
  });
  return outfile;
}

if (import.meta.main) process.stdout.write(`${await buildBundle(process.argv[2])}\n`);
