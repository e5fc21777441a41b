import { and, eq, inArray, isNotNull, ne, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { outputsOf } from './answer-queries.ts';
import { invocation, invocationAnswer } from './commands-tables.ts';

/** A query of the devices of a run with the attributes that scopes use. */
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

export interface RerunDevices {
  readonly runId: string;
  /** Devices on which the run ended without success. */
  readonly onlyFailed: boolean;
  /** Devices with this distinct output, or an output of this group; null for all. */
  readonly answer: string | null;
  /** Devices outside any of these are ignored. */
  readonly scopes: readonly (readonly Scope[])[];
}

/** A query of devices of a run, as `id`. */
export function devicesToRerun({ runId, onlyFailed, answer, scopes }: RerunDevices): SQL {
  const build = new QueryBuilder();
  const answering = build
    .select({ id: invocationAnswer.invocationId })
    .from(invocationAnswer)
    .where(
      and(
        eq(invocationAnswer.runId, runId),
        inArray(invocationAnswer.sha256, outputsOf({ runId, sha256: answer ?? '' })),
      ),
    );
  return build
    .select({ id: deviceRecords.deviceId })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        onlyFailed
          ? and(isNotNull(invocation.endedAt), ne(invocation.state, 'Success'))
          : undefined,
        answer === null ? undefined : inArray(invocation.id, answering),
        ...scopes.map((each) => deviceScopeCondition(each, deviceRecords)),
      ),
    )
    .getSQL();
}
