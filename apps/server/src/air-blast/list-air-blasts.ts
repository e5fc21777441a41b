import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  AirBlastRow,
  AirBlastTargetRow,
  listAirBlastsInput,
  listAirBlastTargetsInput,
} from '@deviceportal/contract/air-blast';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import type { Page } from '@deviceportal/contract/pages';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { airBlastScopeCondition, selectAirBlasts } from './air-blast-store.ts';
import { requireAirBlast, sightOf } from './change-progress.ts';
import { airBlastRowOf } from './get-air-blast.ts';
import { selectTargetRows } from './data/target-row-queries.ts';

/** Runs within the viewer's sight, newest first. */
export async function listAirBlasts(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listAirBlastsInput>,
): Promise<Page<AirBlastRow>> {
  const conditions: SQL[] = [airBlastScopeCondition(sightOf(viewer))];
  if (input.mine) conditions.push(sql`air_blast.operator_id = ${viewer.userId}`);
  if (input.active) conditions.push(sql`air_blast.ended_at is null`);
  if (input.waiting) conditions.push(waitsFor(viewer));
  const after = decodeMomentCursor(input.cursor);
  if (after !== null) {
    conditions.push(
      sql`(air_blast.created_at, air_blast.id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
    );
  }
  const found = await selectAirBlasts(database.orm, {
    where: sql.join(conditions, sql` and `),
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((run) => airBlastRowOf(run, (name) => maskUser(name, viewer))),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.createdAtText, id: last.id }),
  };
}

/** The operator's next step, or an approval by somebody who has no hand in the run (`isSecondPerson`). */
function waitsFor({ userId, grants }: Viewer): SQL {
  const goesOn = sql`(air_blast.operator_id = ${userId}
    and (air_blast.step_state in ('done', 'failed') or air_blast.state = 'paused')
    and air_blast.ended_at is null and air_blast.state <> 'approval')`;
  if (!holds(grants, 'air-blast:approve')) return goesOn;
  return sql`(${goesOn} or (air_blast.state = 'approval'
    and ${userId} not in (air_blast.created_by_id, air_blast.operator_id)
    and ${airBlastScopeCondition(scopesOf(grants, ['air-blast:approve']))}
    and not exists (select 1 from air_blast_step s where s.air_blast_id = air_blast.id
      and s.operator_id = ${userId})))`;
}

/** Devices of the present plan that the viewer may see, in the order of their ids. @throws PortalError 2003 */
export async function listAirBlastTargets(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listAirBlastTargetsInput>,
): Promise<Page<AirBlastTargetRow>> {
  const run = await requireAirBlast(database.orm, viewer, input.id);
  const [after] = decodeCursor(input.cursor, 1);
  const rows = await selectTargetRows(database.orm, {
    run,
    scopes: scopesOf(viewer.grants, ['devices:read']),
    group: input.group,
    after: after ?? null,
    limit: input.pageSize + 1,
  });
  const page = rows.slice(0, input.pageSize);
  const last = rows.length > input.pageSize ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last === undefined ? null : encodeCursor([last.deviceId]) };
}
