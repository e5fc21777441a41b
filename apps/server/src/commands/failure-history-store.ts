import { sql } from 'drizzle-orm';
import type { FailureHistory } from '@deviceportal/contract/command-targets';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';
import { isOutcome } from './execution/keep-outcome.ts';
import { arrayOf } from '../platform/database/rows-of.ts';

/** Of each model the latest runs with so many invocations count; the last run counts whole. */
const INVOCATIONS = 500;
/** So many runs of a model are looked at. */
const MOST_ROWS = 1_000;
/** Of what has not ended the latest runs count, too, unless they are so large that counting them would take long. */
const OPEN_RUNS = 3;
const OPEN_TARGETS = 20_000;

interface Predicted {
  readonly document: { readonly name: string; readonly version: number };
  readonly isUndo: boolean;
  /** How many devices of which models it would reach. */
  readonly models: readonly { readonly model: string; readonly count: number }[];
  /** What lies outside does not count. */
  readonly scopes: readonly Scope[];
}

/** What share of the devices will probably fail, by what became of the same version on their models. */
export async function predictFailures(
  executor: Executor,
  { document, isUndo, models, scopes }: Predicted,
): Promise<FailureHistory | null> {
  if (models.length === 0) return null;
  const names = arrayOf(
    'text',
    models.map(({ model }) => model),
  );
  const counts = arrayOf(
    'integer',
    models.map(({ count }) => count),
  );
  const ofVersion = sql`
    document_name = ${document.name} and document_version = ${document.version}`;
  const { rows } = await executor.execute(sql`
    with open as materialized (
      select id, created_at from command_run
      where ended_at is null and ${ofVersion} and (undoes_run_id is not null) = ${isUndo}
        and target_count <= ${OPEN_TARGETS}
      order by created_at desc limit ${OPEN_RUNS}),
    under_way as materialized (
      select open.id as run_id, open.created_at as at, coalesce(d.model, '') as model,
             count(*) filter (where i.state = 'Success') as succeeded,
             count(*) filter (where i.state <> 'Success') as failed
      from open join invocation i on i.run_id = open.id join device d on d.id = i.device_id
      where ${isOutcome} and ${deviceScopeCondition(scopes)}
      group by open.id, open.created_at, d.model)
    select sum(h.invocations)::int as invocations, sum(h.failed)::int as failed,
           sum(m.count)::int as "coveredDevices",
           sum(m.count * h.failed::double precision / h.invocations) / sum(m.count) as "predictedRate"
    from unnest(${names}, ${counts}) as m(model, count)
    cross join lateral (
      select sum(succeeded + failed) as invocations, sum(failed) as failed
      from (
        select succeeded, failed, sum(succeeded + failed) over (order by at desc, run_id) as so_far
        from (
          select run_id, at, succeeded, failed from under_way where model = m.model
          union all
          (select run_id, ended_at, succeeded, failed from run_outcome o
           where ${ofVersion} and o.is_undo = ${isUndo} and o.model = m.model
             and ${deviceScopeCondition(scopes, sql.raw('o'))}
           order by ended_at desc limit ${MOST_ROWS})) newest) counted
      where so_far - (succeeded + failed) < ${INVOCATIONS}) h
    where h.invocations > 0`);
  const history = rows[0] as FailureHistory | { readonly invocations: null } | undefined;
  return history === undefined || history.invocations === null ? null : history;
}
