import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { ItemKey, Rejection, TakenIn } from '../../data-sources/feed-source.ts';
import { invalidItem, rejection } from '../../data-sources/rejection.ts';
import { findUnretired } from '../../devices/data/find-unretired.ts';
import { lockStatuses } from '../../devices/data/main-version-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { TableChange } from '../../platform/sources/table-feed.ts';
import { selectComponentMaps, type ComponentMap } from '../data/component-map-queries.ts';
import type { SoftwareChange } from '../software-change.ts';
import { storeSoftware } from '../apply-software.ts';
import { deviceItemSchema, type DeviceItem } from './device-item.ts';
import { roundsOf } from '../../data-sources/rounds-of.ts';
import { softwareAudit } from '../software-audit.ts';

/** Clocks of other programs may be ahead by so much. */
const CLOCK_TOLERANCE_MS = 300_000;

/** In one statement. */
const DEVICES_AT_ONCE = 100;

interface ReadItem {
  readonly deviceId: string;
  /** Undefined: it was removed. */
  readonly item?: DeviceItem;
}

/**
 * Applies items of the device version table, each as one change in the history of its device. A
 * later `at` is newer; of the same time, the table's applies.
 */
export async function takeInDevices(
  tx: Transaction,
  changes: readonly TableChange[],
  now: Date,
): Promise<TakenIn> {
  const rejected: Rejection[] = [];
  const read = changes.flatMap((change): ReadItem[] => {
    const found = readChange(change, now);
    if (!('reason' in found)) return [found];
    rejected.push(found);
    return [];
  });
  const inService = await findUnretired(
    tx,
    read.map(({ deviceId }) => deviceId),
  );
  const known = read.filter(({ deviceId, item }) => {
    const isKnown = inService.has(deviceId);
    if (!isKnown && item !== undefined) rejected.push(rejection({ deviceId }, 'unknown-device'));
    return isKnown;
  });
  await lockStatuses(tx, [...new Set(known.map(({ deviceId }) => deviceId))]);
  const outdated: ItemKey[] = [];
  const changed: SoftwareChange[] = [];
  let applied = 0;
  for (const round of roundsOf(known, ({ deviceId }) => deviceId, DEVICES_AT_ONCE)) {
    const { newer, older } = await compare(tx, round);
    outdated.push(...older);
    const differences = await storeSoftware(tx, newer);
    applied += new Set(differences.map(({ deviceId }) => deviceId)).size;
    await recordAudit(
      tx,
      softwareAudit('device.software-changed', differences, () => systemActor),
    );
    changed.push(...differences);
  }
  const deviceIds = [...new Set(changed.map(({ deviceId }) => deviceId))];
  return {
    ...{ applied, rejected, outdated },
    changes: deviceIds.length === 0 ? [] : [{ kind: 'device-changed', deviceIds }],
  };
}

function readChange({ key, item }: TableChange, now: Date): ReadItem | Rejection {
  const parsedKey = deviceItemSchema.pick({ deviceId: true }).safeParse(key);
  if (!parsedKey.success) return invalidItem(key, parsedKey.error);
  if (item === null) return parsedKey.data;
  const parsed = deviceItemSchema.safeParse({ ...item, ...key });
  if (!parsed.success) return invalidItem(key, parsed.error);
  if (Date.parse(parsed.data.at) > now.getTime() + CLOCK_TOLERANCE_MS) {
    return rejection(key, 'time-in-future', `at: ${parsed.data.at}`);
  }
  return { deviceId: parsed.data.deviceId, item: parsed.data };
}

async function compare(tx: Transaction, round: readonly ReadItem[]) {
  const held = await selectComponentMaps(
    tx,
    round.map(({ deviceId }) => deviceId),
  );
  const newer: Parameters<typeof storeSoftware>[1][number][] = [];
  const older: ItemKey[] = [];
  for (const { deviceId, item } of round) {
    const own = held.get(deviceId);
    const ageMs =
      item === undefined || own === undefined ? 0 : own.at.getTime() - Date.parse(item.at);
    const differs = item === undefined || own === undefined || !isSame(own, item);
    if (item === undefined || ageMs > 0) {
      if (own !== undefined && differs) older.push({ key: deviceId, sortKey: '' });
    } else if (ageMs < 0 || differs) {
      const components = Object.entries(item.components).map(([component, version]) => ({
        ...{ component, version },
      }));
      newer.push({ deviceId, at: new Date(item.at), components });
    }
  }
  return { newer, older };
}

function isSame({ components }: ComponentMap, item: DeviceItem): boolean {
  const names = Object.keys(components);
  return (
    names.length === Object.keys(item.components).length &&
    names.every((name) => components[name] === item.components[name])
  );
}
