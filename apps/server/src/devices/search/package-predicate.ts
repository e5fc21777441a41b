import { sql, type SQL } from 'drizzle-orm';
import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { packageVersionRank } from '../../packages/package-version-rank.ts';
import { anyOf, fromRows, onDevice, source, type Predicate } from './device-predicate.ts';

const comparisons: Partial<Record<DeviceFilterToken['operator'], SQL>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
};

/** `name`, or `name:version`: that version, or all older or newer ones as the package manager orders them. */
export function packagePredicate(
  operator: DeviceFilterToken['operator'],
  values: readonly string[],
): Predicate | undefined {
  const wanted = values.map((value) => hasPackage(operator, value));
  return wanted.includes(undefined)
    ? undefined
    : anyOf(wanted.filter((each) => each !== undefined));
}

function hasPackage(operator: DeviceFilterToken['operator'], value: string): Predicate | undefined {
  // The first colon: an epoch brings another one into the version.
  const colon = value.indexOf(':');
  const name = colon < 0 ? value : value.slice(0, colon);
  const condition = versionCondition(operator, colon < 0 ? null : value.slice(colon + 1));
  if (condition === undefined || name === '') return undefined;
  const versions = sql`select v.id from package_version v where v.name = ${name} and ${condition}`;
  return onDevice(
    sql`exists (select from device_package p where p.device_id = d.id and p.version_id in (${versions}))`,
    [source([fromRows(sql`device_package b`, sql`b.version_id in (${versions})`)])],
  );
}

function versionCondition(
  operator: DeviceFilterToken['operator'],
  version: string | null,
): SQL | undefined {
  const comparison = comparisons[operator];
  if (version === null || version === '') return operator === '=' ? sql`true` : undefined;
  if (operator === '=') return sql`v.version = ${version}`;
  if (comparison === undefined) return undefined;
  return sql`v.rank collate "C" ${comparison} ${packageVersionRank(version)}`;
}
