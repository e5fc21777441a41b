import type { LockedObject, LockedObjects } from '../../platform/aws/aws-package.ts';
import type { AnchorBucketConfig } from '../../platform/config/config.ts';
import { receiptOf } from './bucket-receipt.ts';
import { readLines } from './s3-anchor.ts';

const OBJECTS_AT_ONCE = 32;

/** What a bucket contains besides its lines. */
export interface FoundObjects {
  /** The first object that has later versions or was marked as deleted. */
  changed: string | null;
  /** First versions, as `receiptOf` names them. */
  readonly receipts: Set<string>;
}

/** Lines of the first versions of all objects, in the order of their blocks. */
export async function* bucketLines(
  objects: LockedObjects,
  config: AnchorBucketConfig,
  found: FoundObjects,
): AsyncGenerator<string> {
  let batch: LockedObject[] = [];
  const readBatch = async (): Promise<string[]> => {
    const lines = await Promise.all(batch.map((object) => readLines(objects, object)));
    batch = [];
    return lines.flat();
  };
  for await (const object of objects.list(config.prefix)) {
    const receipt = receiptOf(config, object);
    found.receipts.add(receipt);
    if (!object.isOnly) found.changed ??= receipt;
    batch.push(object);
    if (batch.length === OBJECTS_AT_ONCE) yield* await readBatch();
  }
  yield* await readBatch();
}
