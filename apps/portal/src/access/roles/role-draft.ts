import type { RoleRow } from '@deviceportal/contract/access';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import { labelEntries, labelsOf, type LabelEntry } from '../../devices/labels-text.ts';

/** The state of the role form. */
export interface RoleDraft {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  readonly countries: readonly string[];
  readonly models: readonly string[];
  readonly labels: readonly LabelEntry[];
}

export const emptyRole: RoleDraft = {
  name: '',
  description: '',
  permissions: [],
  countries: [],
  models: [],
  labels: [],
};

export function draftOf(role: RoleRow, over: Partial<RoleDraft> = {}): RoleDraft {
  const { name, description, permissions, scope } = role;
  return {
    name,
    description,
    permissions,
    countries: scope.countries,
    models: scope.models,
    labels: labelEntries(scope.labels),
    ...over,
  };
}

export function scopeOf({ countries, models, labels }: RoleDraft): Scope {
  return { countries, models, labels: labelsOf(labels) };
}

/** The request body for a draft. */
export function roleOf(draft: RoleDraft) {
  const { countries, models, labels } = scopeOf(draft);
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    permissions: [...draft.permissions],
    scope: { countries: [...countries], models: [...models], labels: { ...labels } },
  };
}

export interface RoleDifference {
  readonly added: readonly Permission[];
  readonly removed: readonly Permission[];
  readonly isScopeChanged: boolean;
}

/** The effect of a change of a role on the users who have it. */
export function roleDifference(before: RoleDraft, after: RoleDraft): RoleDifference {
  const beyond = (one: readonly Permission[], other: readonly Permission[]): Permission[] =>
    one.filter((permission) => !other.includes(permission));
  return {
    added: beyond(after.permissions, before.permissions),
    removed: beyond(before.permissions, after.permissions),
    isScopeChanged: scopeText(before) !== scopeText(after),
  };
}

function scopeText(draft: RoleDraft): string {
  const { countries, models, labels } = scopeOf(draft);
  return JSON.stringify([
    countries.toSorted(),
    models.toSorted(),
    Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
