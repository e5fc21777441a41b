import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, without a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

/** The Node for the TypeScript sources: the one that npm installed, regardless of the machine's. */
export function findNode() {
  const installed = join(root, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error('Node 24 is missing: run "npm install" once with install scripts allowed.');
}
