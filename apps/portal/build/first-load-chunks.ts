import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Modules = ReadonlySet<string>;

/**
 * Request signing, with its hash functions, is needed only by the live channel, which starts later,
 * but the library’s index imports it.
 */
const SIGNATURES = /\/(?:@aws-amplify\/core\/.+\/middleware\/signing|@aws-crypto)\//;

/**
 * An index of Amplify’s sign-in, of which signed-in users need only the tokens. The rest is loaded
 * with the sign-in.
 */
const SIGN_IN_INDEX = /\/@aws-amplify\/auth\/dist\/esm\/(?:providers\/cognito\/)?index\.mjs$/;
const TOKENS = /\/tokenProvider\//;

/**
 * Loading a hundred small files costs slow machines a second. Modules that the first loads share
 * are bundled into a few chunks, each of which is needed completely, and so are the filter of the
 * device list and the library of the sign-in, which are loaded after the first screen. Other modules are split by their imports.
 */
export function firstLoadChunks(root: string): Rolldown.CodeSplittingOptions {
  let parts: readonly (readonly [string, Modules])[] | undefined;
  const partOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
    parts ??= firstLoadParts(root, (each) => context.getModuleInfo(each)?.importedIds ?? []);
    return parts.find(([, modules]) => modules.has(id))?.[0] ?? null;
  };
  const group = (name: string, priority: number): Rolldown.CodeSplittingGroup => ({
    name: (id, context) => (partOf(id, context) === name ? name : null),
    debugName: name,
    priority,
  });
  return {
    groups: [
      group('boot', 6),
      group('base', 5),
      group('shared', 4),
      group('portal', 3),
      group('list', 2),
      group('filter', 1),
      group('library', 0),
    ],
  };
}

function firstLoadParts(
  root: string,
  importsOf: (id: string) => readonly string[],
): readonly (readonly [string, Modules])[] {
  const closure = (file: string): Set<string> => {
    const found = new Set<string>();
    const visit = (id: string): void => {
      if (found.has(id) || SIGNATURES.test(id)) return;
      found.add(id);
      for (const each of importsOf(id)) {
        if (!SIGN_IN_INDEX.test(id) || TOKENS.test(each)) visit(each);
      }
    };
    const start = join(root, file);
    if (!existsSync(start)) throw new Error(`First load module ${file} does not exist.`);
    visit(start);
    return found;
  };
  const boot = closure('src/main.ts');
  boot.delete(join(root, 'src/main.ts'));
  const signIn = closure('src/sign-in/start-sign-in.tsx');
  const portal = closure('src/app/start-portal.tsx');
  const library = closure('src/session/open-library.ts');
  return [
    ['boot', boot],
    ['base', inBoth(portal, signIn)],
    // Otherwise, the library would need the portal.
    ['shared', inBoth(portal, library)],
    ['portal', portal],
    ['list', closure('src/devices/devices-page.tsx')],
    ['filter', closure('src/devices/list/filter/device-filter-bar.tsx')],
    ['library', library],
  ];
}

const inBoth = (one: Modules, other: Modules): Modules =>
  new Set([...one].filter((id) => other.has(id)));
