import type { LockedObject } from '../../platform/aws/aws-package.ts';
import type { AnchorBucketConfig } from '../../platform/config/config.ts';
import type { Executor } from '../../platform/database/database.ts';
import { keepSetting, readSetting } from '../../platform/keep-setting.ts';

const SETTING = 'audit-anchor-object';

/** Names an object and its version: `s3://BUCKET/KEY#VERSION`. */
export const receiptOf = (
  { bucket }: Pick<AnchorBucketConfig, 'bucket'>,
  { key, versionId }: Pick<LockedObject, 'key' | 'versionId'>,
): string => `s3://${bucket}/${key}#${versionId ?? ''}`;

/** Stores which object a bucket received last. */
export const saveReceipt = (on: Executor, receipt: string): Promise<void> =>
  keepSetting(on, SETTING, receipt);

/** Undefined if no bucket has received an object. */
export async function readReceipt(on: Executor): Promise<string | undefined> {
  const found = await readSetting(on, SETTING);
  return typeof found === 'string' ? found : undefined;
}
