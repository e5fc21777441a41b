import type { z } from 'zod';
import type {
  AirBlastRow,
  AirBlastTargetRow,
  listAirBlastsInput,
  listAirBlastTargetsInput,
} from '@deviceportal/contract/air-blast';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Page } from '@deviceportal/contract/pages';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { selectAirBlasts } from './data/list-queries.ts';
import { requireAirBlast, visibleScopes } from './change-progress.ts';
import { airBlastRowOf } from './get-air-blast.ts';
import { selectTargetRows } from './data/targets/target-row-queries.ts';

/** Rollouts that the viewer can see, newest first. */
export async function listAirBlasts(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listAirBlastsInput>,
): Promise<Page<AirBlastRow>> {
  const filter = {
    scopes: visibleScopes(viewer),
    operatorId: input.mine ? viewer.userId : undefined,
    active: input.active,
    waitingFor: input.waiting ? viewer : undefined,
    after: decodeMomentCursor(input.cursor),
  };
  const found = await selectAirBlasts(database.orm, filter, input.pageSize + 1);
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => airBlastRowOf(row, (name) => maskUser(name, viewer))),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.createdAtText, id: last.row.id }),
  };
}

/** Devices of the current plan that the viewer can see, in the order of IDs. @throws PortalError 2003 */
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
