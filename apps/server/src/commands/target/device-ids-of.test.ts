import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idBytes } from '@deviceportal/command-signing/target-tree';
import { deviceIdGroups, deviceIdsOf } from './device-ids-of.ts';

const ids = fc.array(fc.uuid(), { maxLength: 40 });
const bytesOf = (deviceIds: readonly string[]): Buffer => Buffer.concat(deviceIds.map(idBytes));

it('reads the IDs that were written as bytes', () => {
  fc.assert(
    fc.property(ids, (all) => {
      expect(deviceIdsOf(bytesOf(all))).toEqual(all);
    }),
  );
});

it('groups all IDs from a position on, none of them larger than asked', () => {
  fc.assert(
    fc.property(ids, fc.nat(50), fc.integer({ min: 1, max: 9 }), (all, from, size) => {
      const groups = [...deviceIdGroups(bytesOf(all), { from, size })];
      expect(groups.flat()).toEqual(all.slice(from));
      expect(groups.every((group) => group.length > 0 && group.length <= size)).toBe(true);
    }),
  );
});
