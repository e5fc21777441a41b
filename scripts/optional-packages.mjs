import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installDependencies, isInstalled } from './install-dependencies.mjs';
import { root } from './paths.mjs';

/**
 * Folders that a default installation omits: not workspaces, each with a separate lock file. They
 * are in `packages/`, except the stacks for AWS.
 */
export const optionalPackages = [
  'aws',
  'identity-face',
  'identity-real-name',
  'infra',
  'telemetry',
];

const folderOf = (name) => (name === 'infra' ? join(root, name) : join(root, 'packages', name));
const linkOf = (name) => join(root, 'node_modules', '@deviceportal', name);

/** Whether the package is installed and can be imported. */
export function isAdded(name) {
  return isInstalled(folderOf(name), { toRun: true }) && existsSync(linkOf(name));
}

/** Installs an optional package from its lock file and makes it importable. */
export async function addPackage(name) {
  if (!optionalPackages.includes(name)) {
    throw new Error(
      `${name} is not an optional package. Use one of: ${optionalPackages.join(', ')}.`,
    );
  }
  await installDependencies(folderOf(name));
  const link = linkOf(name);
  if (existsSync(link)) return;
  // A broken link.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), folderOf(name)), link, 'junction');
}

/**
 * `npm ci` removes the links of added packages, and an update can change their lock files; both are
 * repaired.
 */
export async function keepAddedPackages() {
  for (const name of optionalPackages) {
    if (existsSync(join(folderOf(name), 'node_modules'))) await addPackage(name);
  }
}
