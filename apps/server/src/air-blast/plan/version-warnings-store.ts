import { sql } from 'drizzle-orm';
import type { AirBlastWarning } from '@deviceportal/contract/air-blast';
import type { Executor } from '../../platform/database/database.ts';
import type { PlanKey } from './target-set-store.ts';

/** Whether a component is registered or on any device, so that it is more than a typing error. */
export async function isComponentKnown(executor: Executor, component: string): Promise<boolean> {
  const { rows } = await executor.execute(sql`
    select exists (select 1 from software_version where component = ${component})
        or exists (select 1 from device_version where component = ${component}) as known`);
  return (rows[0] as { known: boolean }).known;
}

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
      case when not exists (select 1 from software_version where component = ${component} and version = ${version})
            and not exists (select 1 from device_version where component = ${component} and version = ${version})
           then 'version-not-on-record' end,
      case when not exists (select 1 from air_blast_target t
                            join device_version v on v.device_id = t.device_id and v.component = ${component}
                            where t.air_blast_id = ${id}::uuid and t.revision = ${revision}::int)
           then 'component-on-no-device' end], null) as warnings`);
  return (rows[0] as { warnings: AirBlastWarning[] }).warnings;
}
