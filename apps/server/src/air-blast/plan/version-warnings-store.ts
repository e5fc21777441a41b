import { sql } from 'drizzle-orm';
import type { AirBlastWarning } from '@deviceportal/contract/air-blast';
import type { Executor } from '../../platform/database/database.ts';
import { isOnRecord, isOnVersion } from '../../versions/data/known-versions.ts';
import type { PlanKey } from './target-set-store.ts';

/** What is doubtful about the version of a plan, as things stand now; none for a document. */
export async function selectWarnings(
  executor: Executor,
  {
    id,
    revision,
    component,
    version,
  }: PlanKey & { readonly component: string | null; readonly version: string | null },
): Promise<AirBlastWarning[]> {
  if (component === null || version === null) return [];
  const { rows } = await executor.execute(sql`
    select array_remove(array[
      case when not ${isOnRecord({ component, version })}
           then 'version-not-on-record' end,
      case when not exists (select 1 from air_blast_target t
                            where t.air_blast_id = ${id}::uuid and t.revision = ${revision}::int
                              and ${isOnVersion(sql`t.device_id`, { component })})
           then 'component-on-no-device' end], null) as warnings`);
  return (rows[0] as { warnings: AirBlastWarning[] }).warnings;
}
