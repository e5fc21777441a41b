import { describe, expect, it } from 'vitest';
import { permissionsBeyond } from './covers.ts';
import {
  administratorPermissions,
  builtinRoles,
  everywhere,
  optInPermissions,
} from './permissions.ts';

const wanted = { permissions: optInPermissions, scope: everywhere };

describe('permissions that no built-in role has', () => {
  it('can be assigned by administrators, although they do not have them', () => {
    const administrator = builtinRoles.filter(({ name }) => name === 'Administrator');
    expect(permissionsBeyond(administrator, wanted)).toEqual([]);
  });

  it('cannot be assigned by users who can only manage access', () => {
    const own = [{ permissions: ['access:manage' as const], scope: everywhere }];
    expect(permissionsBeyond(own, wanted)).toEqual(optInPermissions);
  });

  it('can be assigned within the scope of all other permissions only', () => {
    const german = { ...everywhere, countries: ['DE'] };
    const own = [{ permissions: administratorPermissions, scope: german }];
    expect(permissionsBeyond(own, wanted)).toEqual(optInPermissions);
    expect(permissionsBeyond(own, { ...wanted, scope: german })).toEqual([]);
  });

  it('are in no built-in role, so that an upgrade gives them to no user', () => {
    const held = builtinRoles.flatMap(({ permissions }) => permissions);
    expect(held.filter((each) => optInPermissions.some((name) => name === each))).toEqual([]);
  });
});
