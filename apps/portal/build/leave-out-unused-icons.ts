import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const ICONS = '/@cloudscape-design/components/icon/generated/icons.js';
/** The first line of an icon, and all lines up to the next one. */
const ICON =
  /^ {4}"(?<name>[a-z0-9-]+)": React\.createElement[^]*?(?=^ {4}"[a-z0-9-]+": React|^\};)/gm;
const SOURCE = /(?<!\.d|\.test|\/interfaces|styles\.css|styles\.selectors)\.(?:js|tsx?)$/;
const WITHOUT_USES = new Set([
  'generated',
  'messages',
  'node_modules',
  'test-utils',
  'prompt-input',
]);

/**
 * Leaves out the icons whose names are in no file of the portal and of Cloudscape’s components: 4 kB gzip of all first
 * loads.
 *
 * @param sources The folder with the sources of the portal.
 */
export function leaveOutUnusedIcons(sources: string): Plugin {
  const components = dirname(
    createRequire(import.meta.url).resolve('@cloudscape-design/components/package.json'),
  );
  return {
    name: 'leave-out-unused-icons',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: new RegExp(`${ICONS.replaceAll('.', '\\.')}$`) },
      handler(code) {
        const used = quotedIn([sources, components]);
        const kept = code.replace(ICON, (icon, name: string) => (used.has(name) ? icon : ''));
        if (kept === code) this.error('Cloudscape’s icons are written in another way.');
        return { code: kept, map: null };
      },
    },
  };
}

/** All short texts in quotes. */
function quotedIn(folders: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of folders.flatMap(filesIn))
    for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(/['"]([a-z0-9-]{3,40})['"]/g))
      found.add(text);
  return found;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return WITHOUT_USES.has(entry.name) ? [] : filesIn(path);
    return SOURCE.test(path) ? [path] : [];
  });
}
