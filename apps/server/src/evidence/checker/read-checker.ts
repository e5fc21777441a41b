import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Built by `npm run build`. */
const bundle = join(import.meta.dirname, '../../../dist/checker.mjs');
let kept: Promise<Buffer> | undefined;

/** The checker as one file. @throws Error if it was not built */
export function readChecker(): Promise<Buffer> {
  kept ??= readFile(bundle).catch((error: unknown) => {
    kept = undefined;
    throw new Error('The checker of proofs is missing. Run npm run build.', { cause: error });
  });
  return kept;
}
