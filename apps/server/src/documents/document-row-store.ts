import { sql, type SQL } from 'drizzle-orm';
import type { DocumentRow } from '@deviceportal/contract/documents';
import type { Scope } from '@deviceportal/contract/permissions';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { documentPlatforms } from './document-platforms.ts';

/** Success is counted over the invocations that ended in these days. */
const SUCCESS_RATE_DAYS = 30;

interface RawRow extends Omit<DocumentRow, 'platforms'> {
  /** The moment as PostgreSQL writes it: the cursor's value. */
  readonly sortedAt: string;
  readonly steps: readonly Pick<DocumentStep, 'action' | 'precondition'>[];
}

export interface DocumentPageRow {
  readonly row: DocumentRow;
  readonly sortedAt: string;
}

/**
 * Documents with how they were used; `where` may speak of the document (`d`) and of its default version (`v`), or its
 * latest while there is none. The page of names is taken first; use is then counted for those names alone,
 * from the counters that runs keep, never from their invocations; within limits, from what became of ended runs there.
 */
export async function selectDocumentRows(
  executor: Executor,
  page: {
    readonly where: SQL;
    readonly order: SQL;
    readonly limit: number;
    /** Where runs may be seen: others do not count as use. */
    readonly scopes: readonly Scope[];
  },
): Promise<DocumentPageRow[]> {
  const { rows } = await executor.execute(sql`
    with page as materialized (
      select d.*, v.consequence, v.parsed from document d
      join document_version v on v.document_name = d.name and v.version = coalesce(d.default_version, d.latest_version)
      where ${page.where} order by ${page.order} limit ${page.limit}
    )
    select d.name, d.description, d.state, d.default_version as "defaultVersion", d.latest_version as "latestVersion",
           d.consequence, d.labels, d.builtin, d.updated_at as "updatedAt", d.updated_by as "updatedBy",
           d.updated_at::text as "sortedAt", d.parsed->'mainSteps' as steps,
           (select count(*)::int from json_object_keys(coalesce(d.parsed->'parameters', '{}'))) as "parameterCount",
           (select r.version from document_version r where r.document_name = d.name and r.state = 'review')
             as "versionInReview",
           coalesce((select jsonb_agg(c.command order by c.position) from command_definition c
                     where c.document_name = d.name), '[]') as commands,
           used.last_used_at as "lastUsedAt", used.success_rate as "successRate"
    from page d
    left join lateral (${page.scopes.some(isEverywhere) ? usedAnywhere : usedWithin(page.scopes)}) used on true
    order by ${page.order}`);
  return (rows as unknown as RawRow[]).map(({ sortedAt, steps, ...row }) => ({
    sortedAt,
    row: {
      ...row,
      platforms: documentPlatforms(steps),
      lastUsedAt: isoOrNull(row.lastUsedAt),
      updatedAt: isoOf(row.updatedAt),
    },
  }));
}

const recently = (at: SQL): SQL =>
  sql`${at} > portal_now() - make_interval(days => ${SUCCESS_RATE_DAYS})`;

const usedAnywhere = sql`
  select sum(r.success_count)::float8
           / nullif(sum(r.success_count + r.failed_count + r.timed_out_count + r.cancelled_count), 0) as success_rate,
    (select max(r.created_at) from command_run r where r.document_name = d.name) as last_used_at
  from command_run r where r.document_name = d.name and ${recently(sql`r.created_at`)}`;

const usedWithin = (scopes: readonly Scope[]): SQL => sql`
  select sum(o.succeeded) filter (where ${recently(sql`o.ended_at`)})::float8
           / nullif(sum(o.succeeded + o.failed) filter (where ${recently(sql`o.ended_at`)}), 0) as success_rate,
    max(r.created_at) as last_used_at
  from run_outcome o join command_run r on r.id = o.run_id
  where o.document_name = d.name and ${deviceScopeCondition(scopes, sql.raw('o'))}`;

/** Who wrote something is a person: masked without `people:read`, as everywhere. */
export function maskRow(row: DocumentRow, viewer: Viewer): DocumentRow {
  return { ...row, updatedBy: maskUser(row.updatedBy, viewer) };
}
