import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Chunk {
  /** Path below the root of the portal. */
  readonly file: string;
}

interface Entry extends Chunk {
  readonly imports?: readonly string[];
}

const MANIFEST = join(import.meta.dirname, '../../apps/portal/dist/.vite/manifest.json');
const FIRST_LOAD = ['index.html', 'src/app/start-portal.tsx', 'src/devices/devices-page.tsx'];

const readManifest = (): Readonly<Record<string, Entry>> =>
  JSON.parse(readFileSync(MANIFEST, 'utf8')) as Readonly<Record<string, Entry>>;

/** The chunk of a module that is loaded by `import()`. */
export function readChunk(module: string): Chunk {
  const chunk = readManifest()[module];
  if (chunk === undefined) throw new Error(`no chunk of ${module}`);
  return chunk;
}

/** The chunk of a page, and one that it shares with other pages but not with the first load. */
export function readChunks(module: string): { readonly page: Chunk; readonly shared: Chunk } {
  const manifest = readManifest();
  const closure = (key: string, found = new Set<string>()): Set<string> => {
    if (found.has(key)) return found;
    found.add(key);
    for (const each of manifest[key]?.imports ?? []) closure(each, found);
    return found;
  };
  const first = new Set(FIRST_LOAD.flatMap((key) => [...closure(key)]));
  const key = [...closure(module)].find((each) => each !== module && !first.has(each));
  const shared = key === undefined ? undefined : manifest[key];
  if (shared === undefined) throw new Error(`no shared chunk of ${module}`);
  return { page: readChunk(module), shared };
}
