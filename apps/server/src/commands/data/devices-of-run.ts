import { eq, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { invocation } from './commands-tables.ts';

/** A query of the devices of a run with what scopes speak of. */
export const devicesOfRun = (runId: string): SQL =>
  new QueryBuilder()
    .select({
      id: deviceRecords.deviceId,
      country: deviceRecords.country,
      model: deviceRecords.model,
      labels: deviceRecords.labels,
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(eq(invocation.runId, runId))
    .getSQL();
