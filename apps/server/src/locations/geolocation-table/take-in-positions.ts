import { selectErased } from '../../data-sources/data/outgoing-queries.ts';
import type { ItemKey, Rejection, TakenIn } from '../../data-sources/feed-source.ts';
import { invalidItem, rejection } from '../../data-sources/rejection.ts';
import { roundsOf } from '../../data-sources/rounds-of.ts';
import { findUnretired } from '../../devices/data/find-unretired.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { TableChange } from '../../platform/sources/table-feed.ts';
import { storePositions, type PositionRow } from '../apply-position.ts';
import { deletePositions, selectPositions } from '../data/position-item-queries.ts';
import { positionItemSchema, positionKeySchema, type PositionItem } from './position-item.ts';

/** Clocks of other programs may be ahead by so much. */
const CLOCK_TOLERANCE_MS = 300_000;
const DAY_MS = 86_400_000;

export interface PositionLimits {
  readonly now: Date;
  /** Older positions are not kept here. */
  readonly keptDays: number;
}

/**
 * Applies items of the geolocation table. A position that is known here does not change: it is
 * written again where the table has another one. One that is removed there is deleted here.
 */
export async function takeInPositions(
  tx: Transaction,
  changes: readonly TableChange[],
  limits: PositionLimits,
): Promise<TakenIn> {
  const rejected: Rejection[] = [];
  const read = changes.flatMap((change): ReadItem[] => {
    const found = readChange(change, limits);
    if (found === null) return [];
    if (!('reason' in found)) return [found];
    rejected.push(found);
    return [];
  });
  const inService = await findUnretired(
    tx,
    read.map(({ key }) => key.key),
  );
  const known = read.filter(({ key: { key: deviceId }, item }) => {
    const isKnown = inService.has(deviceId);
    if (!isKnown && item !== null) rejected.push(rejection({ deviceId }, 'unknown-device'));
    return isKnown;
  });
  const outdated: ItemKey[] = [];
  const moved = new Set<string>();
  let applied = 0;
  for (const round of roundsOf(known, ({ key }) => textOf(key))) {
    const found = await compare(tx, round);
    await deletePositions(tx, found.removed);
    for (const deviceId of await storePositions(tx, found.added)) moved.add(deviceId);
    outdated.push(...found.outdated);
    applied += found.added.length + found.removed.length;
  }
  return {
    ...{ applied, rejected, outdated },
    changes: moved.size === 0 ? [] : [{ kind: 'device-changed', deviceIds: [...moved] }],
  };
}

interface ReadItem {
  readonly key: ItemKey;
  /** Null: it was removed. */
  readonly item: PositionItem | null;
}

/** @returns null for a position that is too old */
function readChange(
  { key, item }: TableChange,
  { now, keptDays }: PositionLimits,
): ReadItem | Rejection | null {
  const parsedKey = positionKeySchema.safeParse(key);
  if (!parsedKey.success) return invalidItem(key, parsedKey.error);
  const { deviceId, at } = parsedKey.data;
  const itemKey = { key: deviceId, sortKey: at };
  if (item === null) return { key: itemKey, item: null };
  const ageMs = now.getTime() - Date.parse(at);
  if (ageMs > keptDays * DAY_MS) return null;
  if (ageMs < -CLOCK_TOLERANCE_MS) return rejection(key, 'time-in-future', `at: ${at}`);
  const parsed = positionItemSchema.safeParse({ ...item, ...key });
  if (!parsed.success) return invalidItem(key, parsed.error);
  return { key: itemKey, item: parsed.data };
}

const textOf = ({ key, sortKey }: ItemKey): string => `${key}\n${sortKey}`;

/** @param read each key once */
async function compare(tx: Transaction, read: readonly ReadItem[]) {
  const keys = read.map(({ key }) => key);
  const held = new Map(
    (await selectPositions(tx, keys)).map((row) => [
      textOf({ key: row.deviceId, sortKey: row.at.toISOString() }),
      row,
    ]),
  );
  const erased = new Set((await selectErased(tx, 'geolocations', keys)).map(textOf));
  const added: PositionRow[] = [];
  const removed: ItemKey[] = [];
  const outdated: ItemKey[] = [];
  for (const { key, item } of read) {
    const own = held.get(textOf(key));
    if (item === null) {
      if (own !== undefined) removed.push(key);
    } else if (own === undefined) {
      if (!erased.has(textOf(key))) added.push({ ...item, at: new Date(item.at) });
    } else if (own.latitude !== item.latitude || own.longitude !== item.longitude) {
      outdated.push(key);
    }
  }
  return { added, removed, outdated };
}
