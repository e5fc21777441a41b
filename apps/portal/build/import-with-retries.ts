import { fileURLToPath } from 'node:url';
import type { ModulePreloadOptions, Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';
const loader = fileURLToPath(new URL('../src/chunks/load-chunk.ts', import.meta.url));

/** Replaces the function that Vite calls for every `import()` by `loadChunk`. */
export function importWithRetries(): Plugin {
  let isReplaced = false;
  return {
    name: 'import-with-retries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      order: 'post',
      handler(_code, id) {
        if (id !== HELPER) return null;
        isReplaced = true;
        const code = `export { loadChunk as __vitePreload } from ${JSON.stringify(loader)};`;
        return { code, map: null };
      },
    },
    buildEnd(error) {
      if (error === undefined && !isReplaced) this.error('Imports are not retried.');
    },
  };
}

/** The files of an import include its own chunk, which Vite leaves out if it has no others. */
export const modulePreload: ModulePreloadOptions = {
  polyfill: false,
  resolveDependencies: (file, dependencies, { hostType }) =>
    hostType === 'html' || dependencies.includes(file) ? dependencies : [file, ...dependencies],
};
