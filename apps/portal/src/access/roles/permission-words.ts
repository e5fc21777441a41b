import {
  consequences,
  type Consequence,
  type Permission,
  type PlainPermission,
  type Scope,
} from '@deviceportal/contract/permissions';
import type { Formatters } from '../../i18n/format-values.ts';
import type { Language } from '../../i18n/languages.ts';
import type { MessageKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/use-t.ts';

/** Areas in display order. */
export const permissionAreas = [
  'devices',
  'people',
  'commands',
  'documents',
  'versions',
  'locations',
  'alerts',
  'audit-trail',
  'reports',
  'cases',
  'legal-holds',
  'access',
  'air-blast',
  'api-calls',
  'api-tokens',
  'webhooks',
  'provider',
  'terminal',
  'files',
  'web-pages',
] as const;
export type PermissionArea = (typeof permissionAreas)[number];

/** The risk of each permission, on the scale of command consequences. */
const risks: Readonly<Record<PlainPermission, Consequence>> = {
  'devices:read': 'reads',
  'devices:manage': 'disrupts',
  'people:read': 'reads',
  'people:manage': 'changes',
  'people:export': 'reads',
  'people:erase': 'destroys',
  'commands:read': 'reads',
  'documents:read': 'reads',
  'documents:manage': 'changes',
  'documents:approve': 'changes',
  'versions:read': 'reads',
  'versions:manage': 'changes',
  'locations:read': 'reads',
  'locations:read-precise': 'reads',
  'alerts:read': 'reads',
  'alerts:manage': 'changes',
  'audit-trail:read': 'reads',
  'audit-trail:export': 'reads',
  'reports:create': 'reads',
  'cases:read': 'reads',
  'cases:manage': 'changes',
  'legal-holds:read': 'reads',
  'legal-holds:manage': 'destroys',
  'access:read': 'reads',
  'access:manage': 'destroys',
  'air-blast:run': 'disrupts',
  'air-blast:approve': 'disrupts',
  'api-calls:read': 'reads',
  'api-tokens:create': 'changes',
  'api-tokens:manage': 'destroys',
  'webhooks:manage': 'changes',
  'provider:read': 'reads',
  'provider:manage': 'destroys',
  'terminal:open': 'destroys',
  'terminal:end': 'changes',
  'terminal:replay': 'reads',
  'files:read': 'reads',
  'files:write': 'destroys',
  'terminal:watch': 'reads',
  'terminal:consent': 'destroys',
  'web-pages:open': 'destroys',
  'web-pages:end': 'changes',
};

const RUN = 'commands:run:';

/**
 * The risk of a permission. A single command counts as disruptive, because its risk depends on its
 * document.
 */
export function riskOf(permission: Permission): Consequence {
  if (permission.startsWith(RUN)) {
    const name = permission.slice(RUN.length + 1);
    return (
      consequences.find((each) => permission === `${RUN}@${each}` && each === name) ?? 'disrupts'
    );
  }
  return risks[permission as PlainPermission] ?? 'changes';
}

/** Whether this is the permission to run one command by its name. */
export function isSingleCommand(permission: Permission): boolean {
  return permission.startsWith(RUN) && !permission.startsWith(`${RUN}@`);
}

export function highestRisk(permissions: readonly Permission[]): Consequence | null {
  const ranks = permissions.map((permission) => consequences.indexOf(riskOf(permission)));
  return ranks.length === 0 ? null : (consequences[Math.max(...ranks)] ?? null);
}

export function areaOf(permission: Permission): PermissionArea {
  return permissionAreas.find((area) => permission.startsWith(`${area}:`)) ?? 'access';
}

/** What a permission allows, in the language of the viewer. */
export function permissionWords(permission: Permission, t: Translate): string {
  const name = permission.replaceAll(':', '.').replace('@', 'any-');
  const key = `access.permission.${name}` as MessageKey;
  const words = t(key);
  if (words !== key) return words;
  return permission.startsWith(RUN)
    ? t('access.permission.runOne', { command: permission.slice(RUN.length) })
    : permission;
}

/** The texts of several permissions that are joined by ` | `. */
export function permissionListWords(permissions: string, t: Translate, language: Language): string {
  const words = permissions
    .split('|')
    .map((permission) => `“${permissionWords(permission.trim() as Permission, t)}”`);
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(words);
}

/** Sorts permissions by area, and within an area by risk, lowest first. */
export function sortPermissions(permissions: readonly Permission[]): Permission[] {
  const rank = (permission: Permission): number =>
    permissionAreas.indexOf(areaOf(permission)) * 10 + consequences.indexOf(riskOf(permission));
  return permissions.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

/** The scope of a role as text. */
export function scopeWords(
  scope: Scope,
  t: Translate,
  format: Pick<Formatters, 'country' | 'list'>,
): string {
  const labels = Object.entries(scope.labels).map(([key, value]) => `${key}=${value}`);
  const parts = [
    ...(scope.countries.length === 0
      ? []
      : [t('access.scope.countries', { list: format.list(scope.countries.map(format.country)) })]),
    ...(scope.models.length === 0
      ? []
      : [t('access.scope.models', { list: format.list(scope.models) })]),
    ...(labels.length === 0 ? [] : [t('access.scope.labels', { list: format.list(labels) })]),
  ];
  return parts.length === 0 ? t('access.scope.everywhere') : parts.join(' · ');
}
