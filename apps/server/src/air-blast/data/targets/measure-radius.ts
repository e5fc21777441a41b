import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import type { BlastRadius } from '@deviceportal/contract/air-blast';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../../platform/database/json-rows.ts';
import { scalar } from '../../../platform/database/scalar.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';
import { countAll } from './outcome-counts.ts';
import { isTargetOf } from './target-conditions.ts';

const build = new QueryBuilder();

/** The devices, people, countries, and models that a plan changes. */
export async function measureRadius(on: Executor, plan: PlanKey): Promise<BlastRadius> {
  const reached = build.$with('reached').as(
    build
      .select({
        ownerId: deviceRecords.ownerId,
        country: sql<string>`coalesce(${deviceRecords.country}, '')`.as('country_or_none'),
        model: sql<string>`coalesce(${deviceRecords.model}, '')`.as('model_or_none'),
      })
      .from(airBlastTarget)
      .innerJoin(deviceRecords, eq(deviceRecords.deviceId, airBlastTarget.deviceId))
      .where(and(isTargetOf(plan), isNull(airBlastTarget.exclusion))),
  );
  const byCountry = build
    .select({ country: reached.country, count: countAll.as('devices') })
    .from(reached)
    .groupBy(reached.country)
    .as('by_country');
  const byModel = build
    .select({ model: reached.model, count: countAll.as('devices') })
    .from(reached)
    .groupBy(reached.model)
    .as('by_model');
  const { country, count: ofCountry } = byCountry;
  const { model, count: ofModel } = byModel;
  const countries = jsonArray(jsonObject({ country, count: ofCountry }), {
    orderBy: sql`${desc(ofCountry)}, ${asc(country)}`,
  });
  const models = jsonArray(jsonObject({ model, count: ofModel }), {
    orderBy: sql`${desc(ofModel)}, ${asc(model)}`,
  });
  const [radius] = await on
    .with(reached)
    .select({
      devices: countAll,
      people: sql<number>`count(distinct ${reached.ownerId})::int`,
      countries: sql<
        BlastRadius['countries']
      >`${scalar(build.select({ value: countries }).from(byCountry))}`,
      models: sql<BlastRadius['models']>`${scalar(build.select({ value: models }).from(byModel))}`,
    })
    .from(reached);
  if (radius === undefined) throw new Error('a count without rows');
  return radius;
}
