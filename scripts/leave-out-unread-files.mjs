import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Source maps and declarations of types, which only developers read. */
const UNREAD = /\.(map|d\.[cm]?ts)$/;
/** Reports contain two weights of the fonts of whole scripts; the packages have 18 styles, and parts of scripts for web pages. */
const UNREAD_FONT = /^noto-sans-(?!.*-(400|700)-normal\.woff$)|^noto-sans-sc-\d/;
/** Declarations and compilers that libraries name without needing them, and headers for compiling Node's add-ons. */
const UNREAD_FOLDERS = [
  ...['@types', 'csstype', 'undici-types', 'typescript', '@typescript', 'esbuild', 'jiti', 'tsx'],
  'node/node_modules/*/include',
];

/** Removes what neither the build nor the server reads from packages that were installed to run it. */
export async function leaveOutUnreadFiles(folder) {
  const modules = join(folder, 'node_modules');
  await Promise.all(UNREAD_FOLDERS.map((path) => removeFolders(modules, path.split('/'))));
  await removeFiles(modules);
}

async function removeFolders(base, [name, ...below]) {
  const names = name === '*' ? await foldersIn(base) : [name];
  for (const each of names) {
    const path = join(base, each);
    await (below.length > 0
      ? removeFolders(path, below)
      : rm(path, { recursive: true, force: true }));
  }
}

async function foldersIn(base) {
  if (!existsSync(base)) return [];
  const entries = await readdir(base, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function removeFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return removeFiles(path);
      return entry.isFile() && isUnread(entry.name) ? rm(path) : undefined;
    }),
  );
}

const isUnread = (name) => UNREAD.test(name) || UNREAD_FONT.test(name);
