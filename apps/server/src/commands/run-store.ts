import { sql, type SQL } from 'drizzle-orm';
import type { RunCounters, RunDetail, RunRow } from '@deviceportal/contract/runs';
import { everywhere, type Consequence, type Scope } from '@deviceportal/contract/permissions';
import { isFinal, type RunState } from '@deviceportal/contract/states';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import { runCountersIn } from './run-counters.ts';

/** A run is visible where one of its devices is. */
export function runScopeCondition(scopes: readonly Scope[]): SQL {
  if (scopes.some(isEverywhere)) return sql`true`;
  return sql`exists (select 1 from invocation i join device d on d.id = i.device_id
                     where i.run_id = r.id and ${deviceScopeCondition(scopes)})`;
}

/** Begun within a day and failed on some device that is in sight. */
export function failingCondition(scopes: readonly Scope[]): SQL {
  const failed = scopes.some(isEverywhere)
    ? sql`r.failed_count + r.timed_out_count > 0`
    : sql`exists (select 1 from invocation i join device d on d.id = i.device_id
        where i.run_id = r.id and i.state in ('Failed', 'TimedOut') and ${deviceScopeCondition(scopes)})`;
  return sql`r.created_at > portal_now() - interval '1 day' and ${failed}`;
}

export interface RunPage {
  /** Whose eyes count: targets outside do not exist. */
  readonly scopes: readonly Scope[];
  readonly where: SQL;
  readonly order: SQL;
  readonly limit: number;
}

export interface FoundRun {
  readonly detail: RunDetail;
  readonly createdAtText: string;
}

interface RawRun extends Omit<RunDetail, 'cancellable' | keyof RunCounters> {
  readonly createdAtText: string;
}

export async function selectRuns(executor: Executor, page: RunPage): Promise<FoundRun[]> {
  const { counters, target, join } = runCountersIn(page.scopes);
  const { rows } = await executor.execute(sql`
    with page as materialized (
      select * from command_run r where ${page.where} order by ${page.order} limit ${page.limit}
    )
    select r.id, r.command, r.document_name as "documentName", r.document_version as "documentVersion", r.state,
           r.status_details as "statusDetails", r.masked_parameters as parameters, r.comment,
           ${counters} as counters,
           r.undoes_run_id as undoes, r.created_by as "createdBy", r.created_at as "createdAt", r.created_at::text as "createdAtText",
           r.ended_at as "endedAt", r.expires_at as "expiresAt", r.consequence, r.max_concurrency as "maxConcurrency",
           r.max_errors as "maxErrors", r.timeout_seconds as "timeoutSeconds",
           case when r.state = 'Paused' then jsonb_build_object('by', r.paused_by, 'at', r.paused_at) end as paused,
           single.id as "invocationId", single.device_id as "deviceId", single.name as "deviceName",
           single.serial_number as "serialNumber"
    from page r ${join}
    left join lateral (
      select i.id, i.device_id, d.name, d.serial_number from invocation i join device d on d.id = i.device_id
      where ${target} = 1 and i.run_id = r.id and ${deviceScopeCondition(page.scopes)} limit 1
    ) single on true
    order by ${page.order}`);
  return (rows as unknown as RawRun[]).map(({ createdAtText, ...raw }) => ({
    createdAtText,
    detail: {
      ...raw,
      createdAt: isoOf(raw.createdAt),
      endedAt: isoOrNull(raw.endedAt),
      expiresAt: isoOf(raw.expiresAt),
      paused: raw.paused === null ? null : { ...raw.paused, at: isoOf(raw.paused.at) },
      cancellable: raw.endedAt === null && !isFinal(raw.state) && raw.state !== 'Cancelling',
    },
  }));
}

/** One run, whoever asks: scope is the caller's business. */
export async function findRunDetail(
  executor: Executor,
  id: string,
): Promise<RunDetail | undefined> {
  const found = await selectRuns(executor, {
    scopes: [everywhere],
    where: sql`r.id = ${id}`,
    order: sql`r.id`,
    limit: 1,
  });
  return found[0]?.detail;
}

/** The list's part of a run. */
export function runRowOf(detail: RunDetail): RunRow {
  const {
    consequence: _c,
    maxConcurrency: _m,
    maxErrors: _e,
    timeoutSeconds: _t,
    cancellable: _x,
    paused: _p,
    ...row
  } = detail;
  return row;
}

/** What acting on a run needs, its parameters sealed as they are kept. */
export interface StoredRun {
  readonly id: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly maskedParameters: Readonly<Record<string, unknown>>;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly comment: string;
  readonly state: RunState;
  readonly consequence: Consequence;
  /** The run that this one takes back. */
  readonly undoes: string | null;
}

export async function findStoredRun(
  executor: Executor,
  id: string,
  scopes: readonly Scope[],
): Promise<StoredRun | undefined> {
  const { rows } = await executor.execute(sql`
    select r.id, r.command, r.document_name as "documentName", r.document_version as "documentVersion", r.parameters,
           r.max_concurrency as "maxConcurrency", r.max_errors as "maxErrors", r.timeout_seconds as "timeoutSeconds",
           r.comment, r.state, r.consequence, r.masked_parameters as "maskedParameters", r.undoes_run_id as undoes
    from command_run r where r.id = ${id} and ${runScopeCondition(scopes)}`);
  return rows[0] as unknown as StoredRun | undefined;
}
