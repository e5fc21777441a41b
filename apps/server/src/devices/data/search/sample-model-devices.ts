import { and, asc, eq, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../../platform/database/database.ts';
import { deviceScopeCondition } from '../device-scope-condition.ts';
import { device } from '../devices-tables.ts';

/** Number of devices of the model among which those within the scopes are searched. */
const LOOKED_AT = 5_000;

export interface ModelSample {
  readonly model: string;
  readonly scopes: readonly Scope[];
  /** This device is left out. */
  readonly without: string;
  readonly limit: number;
}

/**
 * Devices in service of a model within the scopes, in an order that is random but always the same,
 * so that neither age nor connectivity decides which devices are chosen.
 */
export async function sampleModelDevices(
  on: Executor,
  { model, scopes, without, limit }: ModelSample,
): Promise<string[]> {
  const { id, country, labels, lifecycle } = device;
  const shuffled = on
    .select({ id, country, model: device.model, labels, lifecycle })
    .from(device)
    .where(eq(device.model, model))
    .orderBy(asc(sql`uuid_hash(${id})`), asc(id))
    .limit(LOOKED_AT)
    .as('shuffled');
  const rows = await on
    .select({ id: shuffled.id })
    .from(shuffled)
    .where(
      and(
        eq(shuffled.lifecycle, 'active'),
        sql`${shuffled.id} <> ${without}::uuid`,
        deviceScopeCondition(scopes, shuffled),
      ),
    )
    .limit(limit);
  return rows.map((row) => row.id);
}
