import { expect, test } from 'vitest';
import type { Permission } from '@deviceportal/contract/permissions';
import { visibleGroups } from './navigation.ts';

const hrefsFor = (...held: readonly Permission[]): string[] =>
  visibleGroups((permission) => held.includes(permission)).flatMap(({ places }) =>
    places.map(({ href }) => href),
  );

test('AirBlast is visible with the permission to approve and with the permission to run', () => {
  expect(hrefsFor('air-blast:approve')).toEqual(['/', '/air-blast']);
  expect(hrefsFor('air-blast:run')).toEqual(['/', '/air-blast']);
  expect(hrefsFor('devices:read')).toEqual(['/', '/devices', '/device-metrics']);
});
