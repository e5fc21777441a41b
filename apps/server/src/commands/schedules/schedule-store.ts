import { sql, type SQL } from 'drizzle-orm';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { MissedRule, ScheduleTimes } from '@deviceportal/contract/schedules';
import type { ScheduleState } from '@deviceportal/contract/states';
import { bondOf, elevationRuns } from '../../access/data/elevation-bonds.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { StoredParameters } from '../parameters/parameter-vault.ts';
import type { Authorization } from '../signing/authorization.ts';

export interface StoredSchedule {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly consequence: Consequence;
  readonly parameters: StoredParameters;
  readonly maskedParameters: Readonly<Record<string, unknown>>;
  readonly target: CommandTarget;
  readonly frozenCount: number | null;
  readonly maxDevices: number;
  readonly exceedingCount: number | null;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly comment: string;
  readonly times: ScheduleTimes;
  readonly missed: MissedRule;
  readonly state: ScheduleState;
  readonly nextAt: string | null;
  readonly lastAt: string | null;
  readonly lastRunId: string | null;
  readonly lastError: string | null;
  readonly createdById: string;
  readonly createdBy: string;
  /** The creator's `sub`: whose rights each firing has. */
  readonly createdBySubject: string;
  readonly createdAt: string;
  readonly bond: ElevationBond | null;
  /** False once the temporary access has ended with which it ends. */
  readonly inForce: boolean;
  /** Null in a schedule that is older than signatures. */
  readonly authorization: Authorization | null;
}

export type NewSchedule = Omit<
  StoredSchedule,
  | 'state'
  | 'nextAt'
  | 'exceedingCount'
  | 'lastAt'
  | 'lastRunId'
  | 'lastError'
  | 'createdAt'
  | 'inForce'
> & { readonly nextAt: Date; readonly createdAt: Date };

/** False when there is one with this id. */
export async function insertSchedule(on: Executor, one: NewSchedule): Promise<boolean> {
  const { rowCount } = await on.execute(sql`
    insert into run_schedule (id, name, command, document_name, document_version, consequence, parameters,
      masked_parameters, target, frozen_count, max_devices, max_concurrency, max_errors, timeout_seconds, comment, times, missed,
      state, next_at, created_by_id, created_by, created_by_subject, created_at, elevation_id, signed_authorization)
    values (${one.id}, ${one.name}, ${one.command}, ${one.documentName}, ${one.documentVersion}, ${one.consequence},
      ${JSON.stringify(one.parameters)}::jsonb, ${JSON.stringify(one.maskedParameters)}::jsonb,
      ${JSON.stringify(one.target)}::jsonb, ${one.frozenCount}, ${one.maxDevices}, ${one.maxConcurrency}, ${one.maxErrors},
      ${one.timeoutSeconds}, ${one.comment}, ${JSON.stringify(one.times)}::jsonb, ${one.missed}, 'active',
      ${one.nextAt.toISOString()}, ${one.createdById}, ${one.createdBy}, ${one.createdBySubject},
      ${one.createdAt.toISOString()}, ${one.bond?.elevationId ?? null}, ${JSON.stringify(one.authorization)}::jsonb)
    on conflict (id) do nothing`);
  return rowCount === 1;
}

/** The target is left out where nobody runs it: a frozen one can hold 100,000 ids. */
export async function selectSchedules(
  on: Executor,
  request: { readonly where: SQL; readonly withTarget: boolean; readonly limit: number },
): Promise<StoredSchedule[]> {
  const target = request.withTarget ? sql`target` : sql`'null'::jsonb as target`;
  const { rows } = await on.execute(sql`
    select id, name, command, document_name as "documentName", document_version as "documentVersion", consequence,
      parameters, masked_parameters as "maskedParameters", ${target}, frozen_count as "frozenCount",
      max_devices as "maxDevices", exceeding_count as "exceedingCount",
      max_concurrency as "maxConcurrency", max_errors as "maxErrors", timeout_seconds as "timeoutSeconds", comment,
      times, missed, state, next_at as "nextAt", last_at as "lastAt", last_run_id as "lastRunId",
      last_error as "lastError", created_by_id as "createdById", created_by as "createdBy",
      created_by_subject as "createdBySubject", created_at as "createdAt",
      signed_authorization as "authorization",
      ${bondOf(sql`run_schedule.elevation_id`)} as bond, ${elevationRuns(sql`run_schedule.elevation_id`)} as "inForce"
    from run_schedule where ${request.where}
    order by next_at nulls last, created_at desc, id limit ${request.limit}`);
  return (rows as unknown as StoredSchedule[]).map(asItStands);
}

/** One whose temporary access has ended has ended with it, whatever its row still says. */
function asItStands(row: StoredSchedule): StoredSchedule {
  return row.inForce ? row : { ...row, state: 'done' };
}
