import { sql } from 'drizzle-orm';
import type { AirBlastRollBack } from '@deviceportal/contract/air-blast';
import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import { createTargetList } from '../../devices/list/keep-target-lists.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { isOnVersion, versionBefore } from '../../versions/data/known-versions.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { requireAirBlast } from '../change-progress.ts';

/** More versions than these are not rolled back to from one run. */
const MOST_VERSIONS = 10;

/**
 * What a roll back begins with: it is a run of its own, on the devices that got the change, to the version that they
 * ran before. Nothing is sent here.
 *
 * @throws PortalError 2003; 2004 when no device has got the change
 */
export async function prepareRollBack(
  deps: AirBlastDeps,
  viewer: Viewer,
  id: string,
): Promise<AirBlastRollBack[]> {
  const run = await requireAirBlast(deps.database.orm, viewer, id);
  const groups = await selectChanged(deps, viewer, run);
  if (groups.length === 0) {
    throw refuse('nothing-to-roll-back', { facts: { reason: 'nothing-to-roll-back' } });
  }
  const prepared: AirBlastRollBack[] = [];
  for (const { version, serialNumbers } of groups) {
    const list = await createTargetList(deps, viewer, {
      name: `${run.name}: ${version ?? ''}`.slice(0, 128),
      text: serialNumbers.join('\n'),
    });
    prepared.push({ version, devices: serialNumbers.length, targetListId: list.id });
  }
  return prepared;
}

interface Changed {
  readonly version: string | null;
  readonly serialNumbers: readonly string[];
}

async function selectChanged(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  { id, revision, component, version }: AirBlastRecord,
): Promise<readonly Changed[]> {
  const scope = deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']), deviceRecords);
  const { deviceId, serialNumber } = deviceRecords;
  const intent = component === null || version === null ? null : { component, version };
  const { rows } = await database.orm.execute(sql`
    with changed as (
      select ${serialNumber} as serial_number, ${intent === null ? sql`null::text` : versionBefore(deviceId, intent)} as version
      from air_blast_target t join ${deviceRecords} on ${deviceId} = t.device_id
      where t.air_blast_id = ${id} and t.revision = ${revision} and t.run_id is not null
        and ${serialNumber} is not null and ${intent === null ? sql`true` : isOnVersion(deviceId, intent)} and ${scope})
    select version, jsonb_agg(serial_number order by serial_number) as "serialNumbers" from changed
    where ${intent === null ? sql`true` : sql`version is not null`}
    group by version order by count(*) desc, version limit ${MOST_VERSIONS}`);
  return rows as unknown as readonly Changed[];
}
