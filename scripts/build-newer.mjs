import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findNode, root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

/** Runs the program that writes a bundle if one of its sources, files or folders, is newer than the bundle. */
export async function buildNewer({ name, bundle, sources, program }) {
  if (!sources.every((source) => existsSync(join(root, source)))) return;
  if (isBuilt({ bundle, sources })) return;
  const { code, output } = await runCommand(findNode(), [join(root, program)], { capture: true });
  if (code !== 0) throw new Error(`The ${name} could not be bundled:\n${output}`);
}

/** Whether the bundle is newer than those of its sources that are here. */
export function isBuilt({ bundle, sources }) {
  const file = join(root, bundle);
  if (!existsSync(file)) return false;
  const builtAt = statSync(file).mtimeMs;
  const places = sources.map((source) => join(root, source)).filter((place) => existsSync(place));
  return places.every((place) => newestBelow(place) < builtAt);
}

function newestBelow(source) {
  const itself = statSync(source);
  if (itself.isFile()) return itself.mtimeMs;
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}
