import { expect, test } from 'vitest';
import { createRoleInput, inviteUserInput } from '@deviceportal/contract/access';
import { createClaimInput, updateDeviceInput, saveViewInput } from '@deviceportal/contract/devices';
import { createDocumentInput } from '@deviceportal/contract/documents';
import { newId } from '@deviceportal/contract/ids';
import { isPlainName, toPlainName } from '@deviceportal/contract/plain-name';
import { providerApplicationInput } from '@deviceportal/contract/provider-admin';
import { parseDeviceRow } from '../../src/devices/import/parse-device-row.ts';
import { parsePersonRow } from '../../src/people/import/parse-person-row.ts';
import { oidcClaims } from '../../src/session/id-token-claims.ts';

/** Displayed as "adminnoc", or hiding the rest: right-to-left override, isolate, zero width space, NUL, tag. */
const misleading = [
  'admin\u202Econ',
  'admin\u2066',
  'ad\u200Bmin',
  'admin\0',
  'admin\u{E0041}',
  'ad\u061Cmin',
  'admin\u2028x',
];

const schemas = {
  device: (name: string) => updateDeviceInput.safeParse({ id: newId(), name }),
  claim: (name: string) => createClaimInput.safeParse({ device: { serialNumber: null, name } }),
  view: (name: string) => saveViewInput.safeParse({ name, screen: 'devices', search: {} }),
  role: (name: string) =>
    createRoleInput.safeParse({ name, permissions: ['devices:read'], scope: {} }),
  person: (name: string) =>
    inviteUserInput.safeParse({ identifier: 'ada@example.com', name, roleIds: [] }),
  user: (name: string) => inviteUserInput.safeParse({ identifier: name, roleIds: [] }),
  document: (name: string) => createDocumentInput.pick({ name: true }).safeParse({ name }),
  application: (name: string) => providerApplicationInput.pick({ name: true }).safeParse({ name }),
};

test.each(Object.entries(schemas))(
  'a %s cannot have a name that is displayed as another',
  (_noun, parse) => {
    expect(parse('admin').success).toBe(true);
    for (const name of misleading) expect(parse(name).success, JSON.stringify(name)).toBe(false);
  },
);

test('an imported file cannot contain a name that is displayed as another', () => {
  for (const name of misleading) {
    expect(parseDeviceRow({ serialNumber: 'K200-0001', name })).toMatchObject({ column: 'name' });
    expect(parsePersonRow({ username: 'ada', name })).toMatchObject({ column: 'name' });
    expect(parsePersonRow({ username: name, name: 'Ada' })).toMatchObject({ column: 'username' });
  }
});

test('misleading characters are removed from names of other systems', () => {
  const claims = oidcClaims({ sub: 'a', exp: 1, iat: 1, name: 'Ada\u202E Lovelace' });
  expect(claims.name).toBe('Ada Lovelace');
  expect(toPlainName('\u2067Ada\u2069')).toBe('Ada');
});

test('names in scripts that need joiners are unchanged', () => {
  for (const name of ['می‌خواهم', '陈伟', 'क्‍ष', '👩‍🔧 desk', "O'Neill"]) {
    expect(isPlainName(name), name).toBe(true);
  }
});
