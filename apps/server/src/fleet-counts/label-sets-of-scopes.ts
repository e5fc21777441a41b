import type { Scope } from '@deviceportal/contract/permissions';
import { isEverywhere } from '../devices/is-everywhere.ts';

/** Scopes that require the same labels. Within the label set, only countries and models are limited. */
export interface LabelSetScopes {
  readonly labels: Readonly<Record<string, string>>;
  readonly scopes: readonly Scope[];
}

/**
 * The label sets by which the devices in scopes are counted; null if a device can be in several of them, because sums
 * would count it twice.
 */
export function labelSetsOfScopes(scopes: readonly Scope[]): readonly LabelSetScopes[] | null {
  if (scopes.length === 0) return null;
  const unlimited = scopes.find(isEverywhere);
  if (unlimited !== undefined) return [{ labels: {}, scopes: [unlimited] }];
  const sets = new Map<string, Scope[]>();
  for (const scope of scopes) {
    const key = JSON.stringify(Object.entries(scope.labels).toSorted(byKey));
    sets.set(key, [...(sets.get(key) ?? []), scope]);
  }
  const groups = [...sets.values()];
  const isApart = groups.every((group, at) =>
    groups
      .slice(at + 1)
      .every((other) => group.every((one) => other.every((two) => areApart(one, two)))),
  );
  return isApart
    ? groups.map((group) => ({ labels: group[0]?.labels ?? {}, scopes: group }))
    : null;
}

const byKey = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1;

/** Whether no device can be in both scopes. */
function areApart(one: Scope, other: Scope): boolean {
  return (
    differ(one.countries, other.countries) ||
    differ(one.models, other.models) ||
    Object.entries(one.labels).some(([key, value]) => (other.labels[key] ?? value) !== value)
  );
}

const differ = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((value) => other.includes(value));
