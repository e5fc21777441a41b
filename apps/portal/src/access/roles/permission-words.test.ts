import { describe, expect, it } from 'vitest';
import {
  builtinRoles,
  consequences,
  plainPermissions,
  type Permission,
} from '@deviceportal/contract/permissions';
import { formatMessage } from '../../i18n/format-message.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { effectivePermissions } from './effective-permissions.ts';
import en from '../messages/en.json' with { type: 'json' };
import zh from '../messages/zh-CN.json' with { type: 'json' };
import {
  areaOf,
  highestRisk,
  permissionWords,
  riskOf,
  scopeWords,
  sortPermissions,
} from './permission-words.ts';

const translate =
  (language: 'en' | 'zh-CN', messages: Readonly<Record<string, string>>): Translate =>
  (key, values) =>
    formatMessage({ language, messages }, key, values);

const all: readonly Permission[] = [
  ...plainPermissions,
  ...consequences.map((each) => `commands:run:@${each}` as const),
];

describe.each([
  ['en', translate('en', en)],
  ['zh-CN', translate('zh-CN', zh)],
] as const)('texts of permissions in %s', (_language, t) => {
  it('every permission, area, and built-in role has a text', () => {
    expect(all.filter((permission) => permissionWords(permission, t) === permission)).toEqual([]);
    expect(
      all.filter((permission) => t(`access.area.${areaOf(permission)}`).startsWith('access.')),
    ).toEqual([]);
    const roles = builtinRoles.map(({ name }) => t(`access.builtin.${name as 'Viewer'}`));
    expect(roles.filter((words) => words.startsWith('access.'))).toEqual([]);
  });

  it('the permission for a single command names the command', () => {
    expect(permissionWords('commands:run:logs/tail', t)).toContain('logs/tail');
  });
});

describe('permissions', () => {
  it('a permission for a class of commands has the risk of the class', () => {
    expect(consequences.map((each) => riskOf(`commands:run:@${each}`))).toEqual(consequences);
    expect(highestRisk(['devices:read', 'commands:run:@disrupts'])).toBe('disrupts');
    expect(highestRisk([])).toBeNull();
  });

  it('permissions are sorted by area, lowest risk first', () => {
    expect(sortPermissions(['api-calls:read', 'devices:manage', 'devices:read'])).toEqual([
      'devices:read',
      'devices:manage',
      'api-calls:read',
    ]);
  });

  it('a scope without limits applies to all devices', () => {
    const format = {
      country: (code: string) => code,
      list: (items: readonly string[]) => items.join(', '),
    };
    const t = translate('en', en);
    expect(scopeWords({ countries: [], models: [], labels: {} }, t, format)).toBe('All devices');
    expect(scopeWords({ countries: ['DE'], models: [], labels: { site: 'a' } }, t, format)).toBe(
      'Countries: DE · Labels: site=a',
    );
  });

  it('a permission that two roles grant names both roles', () => {
    const role = (name: string, permissions: readonly Permission[]) => ({
      id: name,
      name,
      description: '',
      permissions,
      scope: { countries: [], models: [], labels: {} },
      builtin: false,
      userCount: 1,
      updatedAt: '2026-11-01T00:00:00.000000Z',
    });
    const found = effectivePermissions(
      ['A', 'B'],
      [
        role('A', ['devices:read']),
        role('B', ['devices:read', 'people:read']),
        role('C', ['access:manage']),
      ],
    );
    expect(
      found.map(({ permission, roles }) => [permission, roles.map(({ name }) => name)]),
    ).toEqual([
      ['devices:read', ['A', 'B']],
      ['people:read', ['B']],
    ]);
  });
});
