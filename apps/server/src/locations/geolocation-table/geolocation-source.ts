import type { FeedSource } from '../../data-sources/feed-source.ts';
import { listPositions, selectPositions } from '../data/position-item-queries.ts';
import { takeInPositions } from './take-in-positions.ts';

const DAY_MS = 86_400_000;

/** The geolocation table: one item for each position of a device. */
export function createGeolocationSource({
  clock,
  keptDays,
}: {
  readonly clock: () => Date;
  /** Retention of positions, which is also that of the items. */
  readonly keptDays: number;
}): FeedSource {
  return {
    name: 'geolocations',
    takeIn: (tx, changes) => takeInPositions(tx, changes, { now: clock(), keptDays }),
    async itemsOf(on, keys) {
      const rows = await selectPositions(on, keys);
      const items = new Map(
        rows.map(({ id: _id, deviceId, at, ...place }) => [
          `${deviceId}\n${at.toISOString()}`,
          { ...place, expiresAt: Math.floor(at.getTime() / 1_000) + (keptDays * DAY_MS) / 1_000 },
        ]),
      );
      return keys.map(({ key, sortKey }) => ({
        key: { deviceId: key, at: sortKey },
        item: items.get(`${key}\n${sortKey}`) ?? null,
      }));
    },
    async listKeys(on, after, limit) {
      const since = new Date(clock().getTime() - keptDays * DAY_MS);
      const rows = await listPositions(on, { after: Number(after), since, limit });
      const last = rows.at(-1);
      return {
        keys: rows.map(({ deviceId, at }) => ({ key: deviceId, sortKey: at.toISOString() })),
        next: rows.length < limit || last === undefined ? null : String(last.id),
      };
    },
  };
}
