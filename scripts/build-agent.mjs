import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findNode, root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const bundle = join(root, 'apps', 'agent', 'dist', 'agent.mjs');
const sources = [
  'apps/agent/src',
  ...['audit-proof', 'command-signing', 'contract', 'device-protocol'].map(
    (name) => `packages/${name}/src`,
  ),
];

/** Bundles the agent for downloads if its sources are newer than the last bundle. */
export async function buildAgent() {
  if (!sources.every((folder) => existsSync(join(root, folder)))) return;
  const newest = Math.max(...sources.map((folder) => newestBelow(join(root, folder))));
  if (existsSync(bundle) && statSync(bundle).mtimeMs > newest) return;
  const { code, output } = await runCommand(
    findNode(),
    [join(root, 'apps', 'agent', 'src', 'build-bundle.ts')],
    { capture: true },
  );
  if (code !== 0) throw new Error(`The agent could not be bundled:\n${output}`);
}

function newestBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}
