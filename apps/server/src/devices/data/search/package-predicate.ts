import { sql, type SQL } from 'drizzle-orm';
import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { installedVersionIds, packageVersions } from '../../../packages/data/installed-packages.ts';
import { packageVersionRank } from '../../../packages/package-version-rank.ts';
import { anyOf, fromRows, onDevice, source, type Predicate } from './device-predicate.ts';
import { d } from './search-rows.ts';

const comparisons: Partial<Record<DeviceFilterToken['operator'], SQL>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
};

/** `name`, or `name:version`: that version, or all older or newer ones in the order of the package manager. */
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
  // The first colon, because a version with an epoch contains another one.
  const colon = value.indexOf(':');
  const name = colon < 0 ? value : value.slice(0, colon);
  const condition = versionCondition(operator, colon < 0 ? null : value.slice(colon + 1));
  if (condition === undefined || name === '') return undefined;
  const versions = sql`select ${packageVersions.versionId} from ${packageVersions}
    where ${packageVersions.name} = ${name} and ${condition}`;
  const { deviceId, versionId } = installedVersionIds;
  const isWanted = sql`${versionId} in (${versions})`;
  return onDevice(
    sql`exists (select from ${installedVersionIds} where ${deviceId} = ${d.id} and ${isWanted})`,
    [source([fromRows({ from: installedVersionIds, deviceId }, isWanted)])],
  );
}

function versionCondition(
  operator: DeviceFilterToken['operator'],
  version: string | null,
): SQL | undefined {
  const comparison = comparisons[operator];
  if (version === null || version === '') return operator === '=' ? sql`true` : undefined;
  if (operator === '=') return sql`${packageVersions.version} = ${version}`;
  if (comparison === undefined) return undefined;
  return sql`${packageVersions.rank} collate "C" ${comparison} ${packageVersionRank(version)}`;
}
