import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import { answerOf } from '../../platform/aws/answer-of.ts';
import type { LockedObject, LockedObjects } from '../../platform/aws/aws-package.ts';
import { loadAws } from '../../platform/aws/load-aws.ts';
import type { AnchorBucketConfig } from '../../platform/config/config.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { blockLine, parseAnchorLine } from './anchor-lines.ts';
import type { AnchorTarget } from './anchor-target.ts';
import { receiptOf, saveReceipt } from './bucket-receipt.ts';

const DAY_MS = 86_400_000;
const NUMBER_DIGITS = 15;

/** @throws StartError if the package of the client is not installed */
export async function openLockedObjects(config: AnchorBucketConfig): Promise<LockedObjects> {
  const { createLockedObjects } = await loadAws('locked-objects', 'DEVICEPORTAL_AUDIT_ANCHOR_S3');
  return createLockedObjects(config);
}

/**
 * A bucket of S3 that locks blocks until a date. If it cannot be reached now, it is checked before the first delivery.
 *
 * @throws StartError if it rejects the check, or has no object lock
 */
export async function openS3Anchor(config: AnchorBucketConfig): Promise<AnchorTarget> {
  const objects = await openLockedObjects(config);
  const anchor = createS3Anchor(objects, config);
  await anchor.requireLock().catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    if (!isRejection(error)) return;
    throw new StartError(`${nameOf(config)} cannot be used: ${answerOf(error)}`, { cause: error });
  });
  return anchor;
}

/** `s3://BUCKET/PREFIX`. */
export const placeOfBucket = ({ bucket, prefix }: Pick<AnchorBucketConfig, 'bucket' | 'prefix'>) =>
  `s3://${bucket}/${prefix}`;

function createS3Anchor(objects: LockedObjects, config: AnchorBucketConfig) {
  let isLocked = false;
  const requireLock = async (): Promise<void> => {
    if (isLocked) return;
    isLocked = await objects.hasLock();
    if (isLocked) return;
    throw new StartError(
      `${nameOf(config)} has no object lock, so that blocks in it could be deleted. Create a bucket with object lock.`,
    );
  };
  return {
    name: 's3',
    everyMs: config.everyMs,
    newestOnly: false,
    requireLock,
    async deliver(blocks, tx) {
      await requireLock();
      const object = await store(objects, config, blocks);
      await saveReceipt(tx, receiptOf(config, object));
    },
  } satisfies AnchorTarget & { readonly requireLock: () => Promise<void> };
}

/** Stores blocks in one object. What an interrupted delivery stored before is compared. */
async function store(
  objects: LockedObjects,
  config: AnchorBucketConfig,
  blocks: readonly AuditBlock[],
): Promise<Pick<LockedObject, 'key' | 'versionId'>> {
  const number = String(blocks[0]?.number).padStart(NUMBER_DIGITS, '0');
  const key = `${config.prefix}${number}.jsonl`;
  const versionId = await objects.put({
    key,
    body: Buffer.from(`${blocks.map(blockLine).join('\n')}\n`),
    lockedUntil: new Date(Date.now() + config.lockDays * DAY_MS),
  });
  if (versionId !== undefined) return { key, versionId };
  const object = await findOne(objects, key);
  const last = requireSameBlocks(
    await readLines(objects, object),
    blocks,
    receiptOf(config, object),
  );
  const left = blocks.filter((block) => block.number > last);
  return left.length === 0 ? object : store(objects, config, left);
}

async function findOne(objects: LockedObjects, key: string): Promise<LockedObject> {
  for await (const object of objects.list(key)) if (object.key === key) return object;
  throw new Error(`${key} was deleted`);
}

/** Lines of the first version of an object. */
export async function readLines(
  objects: LockedObjects,
  object: Pick<LockedObject, 'key' | 'versionId'>,
): Promise<string[]> {
  const text = Buffer.from(await objects.read(object)).toString('utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** @returns the last of them */
function requireSameBlocks(
  lines: readonly string[],
  blocks: readonly AuditBlock[],
  place: string,
): number {
  const stored = lines.map(parseAnchorLine);
  for (const { number, hash } of blocks) {
    const other = stored.find((line) => line?.number === number);
    if (other === undefined || other?.hash === hash) continue;
    throw new Error(
      `${place} contains another block ${number}: the trail was truncated or rebuilt`,
    );
  }
  const last = stored.at(-1)?.number;
  if (last === undefined) throw new Error(`${place} does not contain blocks`);
  return last;
}

const nameOf = ({ bucket }: AnchorBucketConfig): string =>
  `The bucket ${bucket} (DEVICEPORTAL_AUDIT_ANCHOR_S3)`;

/** Whether S3 has answered, and will answer the same again. */
function isRejection(error: unknown): boolean {
  const { httpStatusCode: status } =
    (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata ?? {};
  return status !== undefined && status < 500;
}
