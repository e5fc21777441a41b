import { expect, test } from 'vitest';
import type { Permission } from '@deviceportal/contract/permissions';
import { visibleGroups } from './navigation.ts';

const hrefsFor = (...held: readonly Permission[]): string[] =>
  visibleGroups((permission) => held.includes(permission)).flatMap(({ places }) =>
    places.map(({ href }) => href),
  );

test('[shell-30] whoever approves AirBlasts finds them, as does whoever runs them', () => {
  expect(hrefsFor('air-blast:approve')).toEqual(['/', '/air-blast']);
  expect(hrefsFor('air-blast:run')).toEqual(['/', '/air-blast']);
  expect(hrefsFor('devices:read')).toEqual(['/', '/devices']);
});
