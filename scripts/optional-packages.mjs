import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installDependencies, isInstalled } from './install-dependencies.mjs';
import { root } from './paths.mjs';

/** Folders of `packages/` that a default installation leaves out: no workspaces, each with a lock file of its own. */
export const optionalPackages = ['identity-face', 'identity-real-name'];

const folderOf = (name) => join(root, 'packages', name);
const linkOf = (name) => join(root, 'node_modules', '@deviceportal', name);

/** True when the package was added and can be imported. */
export function isAdded(name) {
  return isInstalled(folderOf(name)) && existsSync(linkOf(name));
}

/** Installs an optional package by its lock file and makes it importable. */
export async function addPackage(name) {
  if (!optionalPackages.includes(name)) {
    throw new Error(`${name} is no optional package: ${optionalPackages.join(', ')}.`);
  }
  await installDependencies(folderOf(name));
  const link = linkOf(name);
  if (existsSync(link)) return;
  // A link that leads nowhere.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), folderOf(name)), link, 'junction');
}

/** `npm ci` removes the links of added packages, and an update may change their lock files: both are put right. */
export async function keepAddedPackages() {
  for (const name of optionalPackages) {
    if (existsSync(join(folderOf(name), 'node_modules'))) await addPackage(name);
  }
}
