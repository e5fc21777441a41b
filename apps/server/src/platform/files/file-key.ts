import type { FileStore } from './file-store.ts';

/** Whether keys have one segment, or a folder and a name (`2026-08/0123456789abcdef.parquet`). */
export type KeyShape = 'flat' | 'nested';

/** Begins with a letter or digit, so that no segment is hidden or leads out of its folder. */
const SEGMENT = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';
/** Of files that are being written. */
const UNFINISHED = '.part';
const shapes: Readonly<Record<KeyShape, RegExp>> = {
  flat: new RegExp(`^${SEGMENT}$`),
  nested: new RegExp(`^${SEGMENT}(/${SEGMENT})?$`),
};

const isFileKey = (key: string, shape: KeyShape): boolean =>
  shapes[shape].test(key) && !key.endsWith(UNFINISHED);

/** @throws RangeError for a text that is no key */
function requireFileKey(key: string, shape: KeyShape): string {
  if (isFileKey(key, shape)) return key;
  throw new RangeError('not a key of a file');
}

/** A store whose keys are checked before its engine sees them, and that lists nothing else. */
export function withSafeKeys(store: FileStore, shape: KeyShape): FileStore {
  const safe = (key: string): string => requireFileKey(key, shape);
  const { pathOf } = store;
  return {
    put: async (key, content, options) => store.put(safe(key), content, options),
    open: async (key, range) => store.open(safe(key), range),
    find: async (key) => store.find(safe(key)),
    async *list(prefix) {
      for await (const found of store.list(prefix)) {
        if (isFileKey(found.key, shape)) yield found;
      }
    },
    remove: async (key) => store.remove(safe(key)),
    beginUpload: (key, bytes) => store.beginUpload(safe(key), bytes),
    removeUnfinished: (which) => store.removeUnfinished(which),
    ...(pathOf && { pathOf: (key: string) => pathOf(safe(key)) }),
  };
}
