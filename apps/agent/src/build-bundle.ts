/**
 * Bundles the agent into one file for Node 22 or newer: `node apps/agent/src/build-bundle.ts
 * [outfile]`.
 */

import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'rolldown';

const agentRoot = join(import.meta.dirname, '..');

const common = {
  platform: 'node',
  transform: { target: 'node22' },
  output: { format: 'esm', codeSplitting: false },
  logLevel: 'warn',
} as const;

/**
 * Bundles the launcher, which starts the agent as a service from a separate file next to the
 * program.
 */
export async function buildLauncher(): Promise<string> {
  const { output } = await build({
    ...common,
    input: join(agentRoot, 'src/program/launcher.ts'),
    write: false,
    output: common.output,
  });
  return output[0].code;
}

/** Platforms with terminals. The native file of each is next to the bundle, if it is installed here. */
const ptyPlatforms = ['linux-x64', 'linux-arm64'] as const;

/** The native part of `@lydell/node-pty` is found where `load-pty.ts` has loaded it. */
const ptyPlugin: Plugin = {
  name: 'pty',
  resolveId: (id, importer) =>
    id === '@lydell/node-pty' && importer !== undefined
      ? createRequire(importer).resolve('@lydell/node-pty/unixTerminal.js')
      : null,
  async load(path) {
    if (path.endsWith('unixTerminal.js')) {
      return `${await readFile(path, 'utf8')}\nexports.spawn = (file, args, options) => new UnixTerminal(file, args, options);`;
    }
    if (path.endsWith('requireBinary.js')) {
      return `exports.requireBinary = () => globalThis[Symbol.for('deviceportal.pty')];`;
    }
    return null;
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
  const define = {
    LAUNCHER_SOURCE: JSON.stringify(await buildLauncher()),
    PTY_DIGESTS: JSON.stringify(await copyNativeFiles(dirname(outfile))),
  };
  await build({
    ...common,
    input: join(agentRoot, 'src/main.ts'),
    output: { ...common.output, file: outfile },
    plugins: [ptyPlugin],
    transform: { ...common.transform, define },
    // Optional dependencies of ws and systeminformation that are not included.
    external: ['bufferutil', 'utf-8-validate', 'osx-temperature-sensor'],
  });
  // It has a line that names its interpreter.
  await chmod(outfile, 0o755);
  return outfile;
}

if (import.meta.main) process.stdout.write(`${await buildBundle(process.argv[2])}\n`);
