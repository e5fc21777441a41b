/**
 * Bundles the agent into one file for Node 22 or newer: `node apps/agent/src/build-bundle.ts
 * [outfile]`.
 */

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build, type Plugin } from 'esbuild';
import { dirname, join } from 'node:path';

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

/** Platforms with terminals. The native file of each is next to the bundle, if it is installed here. */
const ptyPlatforms = ['linux-x64', 'linux-arm64'] as const;

/** The native part of `@lydell/node-pty` is found where `load-pty.ts` has loaded it. */
const ptyPlugin: Plugin = {
  name: 'pty',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@lydell\/node-pty$/ }, ({ resolveDir }) => ({
      path: createRequire(join(resolveDir, 'any.js')).resolve('@lydell/node-pty/unixTerminal.js'),
    }));
    onLoad({ filter: /unixTerminal\.js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\nexports.spawn = (file, args, options) => new UnixTerminal(file, args, options);`,
      loader: 'js',
    }));
    onLoad({ filter: /requireBinary\.js$/ }, () => ({
      contents: `exports.requireBinary = () => globalThis[Symbol.for('deviceportal.pty')];`,
      loader: 'js',
    }));
  },
};

/** Copies the native files next to the bundle. Returns the SHA-256 of each by platform. */
async function copyNativeFiles(folder: string): Promise<Record<string, string>> {
  const require = createRequire(join(agentRoot, 'src/terminal/load-pty.ts'));
  const digests: Record<string, string> = {};
  for (const platform of ptyPlatforms) {
    let file: string;
    try {
      file = require.resolve(`@lydell/node-pty-${platform}/pty.node`);
    } catch {
      continue;
    }
    await copyFile(file, join(folder, `pty-${platform}.node`));
    const bytes = await readFile(file);
    digests[platform] = createHash('sha256').update(bytes).digest('hex');
  }
  return digests;
}

/** Writes the bundle (by default `apps/agent/dist/agent.mjs`) and returns its path. */
export async function buildBundle(outfile = join(agentRoot, 'dist/agent.mjs')): Promise<string> {
  await mkdir(dirname(outfile), { recursive: true });
  await build({
    ...common,
    entryPoints: [join(agentRoot, 'src/main.ts')],
    outfile,
    plugins: [ptyPlugin],
    define: {
      LAUNCHER_SOURCE: JSON.stringify(await buildLauncher()),
      PTY_DIGESTS: JSON.stringify(await copyNativeFiles(dirname(outfile))),
    },
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
