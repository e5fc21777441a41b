import type { FeedSource } from '../../data-sources/feed-source.ts';
import { listDevicesWithComponents, selectComponentMaps } from '../data/component-map-queries.ts';
import { takeInDevices } from './take-in-devices.ts';

/** The device version table: one item for each device, with all of its components. */
export const createDeviceSource = ({ clock }: { readonly clock: () => Date }): FeedSource => ({
  name: 'device-versions',
  takeIn: (tx, changes) => takeInDevices(tx, changes, clock()),
  async itemsOf(on, keys) {
    const maps = await selectComponentMaps(
      on,
      keys.map(({ key }) => key),
    );
    return keys.map(({ key }) => {
      const found = maps.get(key);
      return {
        key: { deviceId: key },
        item:
          found === undefined ? null : { at: found.at.toISOString(), components: found.components },
      };
    });
  },
  async listKeys(on, after, limit) {
    const ids = await listDevicesWithComponents(on, after === '' ? null : after, limit);
    return {
      keys: ids.map((key) => ({ key, sortKey: '' })),
      next: ids.length < limit ? null : (ids.at(-1) ?? null),
    };
  },
});
