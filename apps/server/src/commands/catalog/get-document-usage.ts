import { sql } from 'drizzle-orm';
import type { DocumentUsage } from '@deviceportal/contract/commands';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { typicalDurationMs } from '../data/command-definition-queries.ts';
import { runCountersIn } from '../run-counters.ts';

const DAYS = 30;
/** Models are counted over the latest runs that failed somewhere, and at most this many devices of each. */
const LATEST_RUNS = 50;
const DEVICES_OF_A_RUN = 200;
const SHOWN_MODELS = 5;

/**
 * Runs and success as far as the viewer sees runs and their devices: from the counters that runs keep, or counted within
 * the scope; the rest from a bounded look at the latest ones.
 */
export async function getDocumentUsage(
  { database }: { readonly database: Database },
  viewer: Viewer,
  documentName: string,
): Promise<DocumentUsage> {
  const recent = sql`document_name = ${documentName} and created_at > portal_now() - make_interval(days => ${DAYS})`;
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const { counters, target, join } = runCountersIn(scopes);
  const [counted, medianDurationMs, failing] = await Promise.all([
    database.orm.execute(sql`
      with seen as (select ${target} as target, ${counters} as c from command_run r ${join} where ${recent})
      select count(*)::int as runs, coalesce(sum(target), 0)::int as invocations,
             sum((c->>'success')::int)::float8
               / nullif(sum((c->>'success')::int + (c->>'failed')::int + (c->>'timedOut')::int
                 + (c->>'cancelled')::int), 0) as "successRate"
      from seen where target > 0`),
    typicalDurationMs(database.orm, documentName, scopes),
    database.orm.execute(sql`
      with latest as (
        select id from command_run where ${recent} and failed_count + timed_out_count > 0
        order by created_at desc limit ${LATEST_RUNS}
      )
      select d.model, count(*)::int as failed
      from latest, lateral (
        select device_id from invocation i
        where i.run_id = latest.id and i.state in ('Failed', 'TimedOut') limit ${DEVICES_OF_A_RUN}
      ) i join device d on d.id = i.device_id
      where ${deviceScopeCondition(scopes)} and ${deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']))}
      group by d.model order by failed desc, d.model limit ${SHOWN_MODELS}`),
  ]);
  const total = counted.rows[0] as unknown as Pick<
    DocumentUsage,
    'runs' | 'invocations' | 'successRate'
  >;
  return {
    days: DAYS,
    ...total,
    medianDurationMs,
    failingModels: failing.rows as unknown as DocumentUsage['failingModels'],
  };
}
