import { sql } from 'drizzle-orm';
import { builtOnce } from '../../../platform/database/built-once.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { onceGiven } from '../../../platform/database/once-given.ts';
import { distinctValues } from '../../../platform/database/distinct-values.ts';
import { installedVersions } from '../../../versions/data/installed-versions.ts';
import { device, deviceLabel } from '../devices-tables.ts';

const MAX_FOUND = 20;

const modelsNamed = builtOnce((on) =>
  on
    .select({ value: sql<string>`v.value` })
    .from(sql`(${distinctValues(device, device.model)}) v`)
    .where(sql`lower(v.value) = any(${onceGiven('names', 'text[]')}::text[])`)
    .limit(MAX_FOUND)
    .prepare('models-named'),
);

/** Models with one of these names, in any case, of the whole fleet. */
export async function findModelsNamed(on: Executor, names: readonly string[]): Promise<string[]> {
  const lower = names.map((name) => name.toLowerCase());
  const rows = await modelsNamed(on).execute({ names: lower });
  return rows.map(({ value }) => value);
}

const labelsValued = builtOnce((on) => {
  const [key, value] = [sql<string>`k.value`, sql<string>`given.value`];
  return on
    .select({ key, value })
    .from(sql`(${distinctValues(deviceLabel, deviceLabel.key)}) k
      cross join unnest(${onceGiven('values', 'text[]')}) as given(value)
      cross join lateral (
        select from ${deviceLabel} where ${deviceLabel.key} = k.value and ${deviceLabel.value} = given.value limit 1) l`)
    .limit(MAX_FOUND)
    .prepare('labels-valued');
});

/** Labels of the whole fleet with one of these values. Each key and value is looked up: a join would read every label. */
export const findLabelsValued = (
  on: Executor,
  values: readonly string[],
): Promise<{ key: string; value: string }[]> => labelsValued(on).execute({ values: [...values] });

/** Components of the whole fleet that have this version on a device. */
export async function findComponentsAt(on: Executor, version: string): Promise<string[]> {
  const component = sql<string>`c.value`;
  const rows = await on
    .select({ component })
    .from(sql`(${distinctValues(installedVersions, installedVersions.component)}) c
      cross join lateral (
        select from ${installedVersions}
        where ${installedVersions.component} = c.value and ${installedVersions.version} = ${version} limit 1) v`)
    .limit(MAX_FOUND);
  return rows.map((row) => row.component);
}
