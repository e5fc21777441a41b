import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { lockLabels, writeLabels, type LabelsOfDevice } from '../devices/data/label-queries.ts';
import { refreshDeviceCopies } from '../devices/data/refresh-device-copies.ts';
import type { ListInstanceTags } from '../platform/aws/aws-package.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { findManagedPage } from './data/managed-instance-queries.ts';
import { isImported } from './imported-keys.ts';
import { labelsOf } from './instance-labels.ts';

export interface ImportTagsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly listTags: ListInstanceTags;
  /** Only instances with all of these tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** Keys of the tags that become labels; a key can end with `*`. */
  readonly keys: readonly string[];
}

type Tags = Readonly<Record<string, string>>;

const AT_ONCE = 500;

/**
 * Makes the labels with these keys agree with the tags of the instances. Other labels stay. If tags cannot be read
 * completely, nothing changes.
 */
export async function importTags(deps: ImportTagsDeps): Promise<void> {
  const { database, changes, keys } = deps;
  const found = await readTags(deps);
  let after = '';
  for (;;) {
    const managed = await findManagedPage(database.orm, after, AT_ONCE);
    const tagsByDevice = new Map(
      managed.map(({ deviceId, instanceId }) => [deviceId, found.get(instanceId) ?? {}]),
    );
    const deviceIds = await inTransaction(database, (tx) => applyTags(tx, tagsByDevice, keys));
    if (deviceIds.length > 0) {
      changes.publish([
        { kind: 'device-changed', deviceIds },
        { kind: 'audit-trail', deviceIds },
      ]);
    }
    const last = managed.at(-1);
    if (last === undefined || managed.length < AT_ONCE) return;
    after = last.instanceId;
  }
}

async function readTags({
  listTags,
  tags,
  keys,
}: Pick<ImportTagsDeps, 'listTags' | 'tags' | 'keys'>): Promise<ReadonlyMap<string, Tags>> {
  const found = new Map<string, Tags>();
  let cursor: string | undefined;
  do {
    const page = await listTags(tags, cursor);
    for (const { id, tags: all } of page.instances) {
      found.set(
        id,
        Object.fromEntries(Object.entries(all).filter(([key]) => isImported(key, keys))),
      );
    }
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

/** @returns the devices whose labels have changed */
async function applyTags(
  tx: Transaction,
  tagsByDevice: ReadonlyMap<string, Tags>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const before = await lockLabels(tx, [...tagsByDevice.keys()]);
  const changed = before.flatMap(({ id, labels }): (LabelsOfDevice & { before: Tags })[] => {
    const others = Object.entries(labels).filter(([key]) => !isImported(key, keys));
    const after = labelsOf({ ...Object.fromEntries(others), ...tagsByDevice.get(id) });
    return isSame(labels, after) ? [] : [{ id, labels: after, before: labels }];
  });
  const deviceIds = changed.map(({ id }) => id);
  await writeLabels(tx, changed);
  await refreshDeviceCopies(tx, deviceIds);
  await recordAudit(
    tx,
    changed.map(({ id, labels, before: earlier }) => ({
      ...{ actor: systemActor, deviceId: id, type: 'device.labels-changed' },
      data: { before: earlier, after: labels },
    })),
  );
  return deviceIds;
}

function isSame(one: Tags, other: Tags): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
