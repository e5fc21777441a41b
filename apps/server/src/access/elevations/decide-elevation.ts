import type { z } from 'zod';
import type {
  ElevationRow,
  grantElevationInput,
  refuseElevationInput,
} from '@deviceportal/contract/elevations';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { isSamePerson } from '../data/same-people.ts';
import { loadGranter, ownAccess, requireMayGive, type Granter } from '../roles/granter.ts';
import { inAccessTurn } from '../in-access-turn.ts';
import { requireRole } from '../data/role-queries.ts';
import { requireUser } from '../data/user-role-queries.ts';
import type { ElevationDeps } from './elevation-deps.ts';
import {
  lockElevation,
  markRefused,
  markRunning,
  type StoredElevation,
} from '../data/elevation-queries.ts';
import { actorOfCaller, recordElevations } from './record-elevation.ts';
import { concerned, endAsking, tellAsker } from './tell-elevation.ts';
import { toElevationRow } from './to-elevation-row.ts';

/**
 * Gives the role from now on, for at most the time that was asked for.
 * @throws PortalError 2003; 1000 for one's own, under whichever account, and for what one does not hold for good oneself; 2004 where it no longer
 *   waits, or who asked may not use the portal any more
 */
export function grantElevation(
  deps: ElevationDeps,
  caller: Caller,
  { id, minutes: wanted }: z.infer<typeof grantElevationInput>,
): Promise<ElevationRow> {
  return decide(deps, caller, id, async (tx, held) => {
    const by = caller.viewer.username;
    const user = await requireUser(tx, held.userId);
    if (user.status !== 'Activated') throw refuse('requester-inactive', { field: 'id' });
    const minutes = Math.min(wanted ?? held.minutes, held.minutes);
    await markRunning(tx, id, { permissions: held.permissions, minutes, by });
    const given = await requireElevation(tx, id);
    await recordElevations(tx, actorOfCaller(caller), [
      {
        type: 'access.elevation-granted',
        elevation: given,
        data: { permissions: given.permissions, endsAt: given.endsAt },
      },
    ]);
    const facts = { decision: 'granted', minutes, by, endsAt: given.endsAt };
    await tellAsker(tx, given, { kind: 'elevation-decided', facts });
  });
}

/** @throws PortalError as `grantElevation` */
export function refuseElevation(
  deps: ElevationDeps,
  caller: Caller,
  { id, note }: z.infer<typeof refuseElevationInput>,
): Promise<ElevationRow> {
  return decide(deps, caller, id, async (tx, held) => {
    const by = caller.viewer.username;
    await markRefused(tx, id, { by, note });
    await recordElevations(tx, actorOfCaller(caller), [
      { type: 'access.elevation-refused', elevation: held, data: { note } },
    ]);
    const facts = { decision: 'refused', by, note };
    await tellAsker(tx, held, { kind: 'elevation-decided', facts });
  });
}

async function decide(
  { database, directory, changes }: ElevationDeps,
  caller: Caller,
  id: string,
  carryOut: (tx: Transaction, held: StoredElevation) => Promise<void>,
): Promise<ElevationRow> {
  const { row, news } = await inAccessTurn(
    database,
    async (tx): Promise<{ readonly row: StoredElevation; readonly news: Change[] }> => {
      const granter = await loadGranter(tx, directory, caller);
      const held = await requireElevation(tx, id);
      if (await isSamePerson(tx, granter.userId, [held.userId])) throw ownAccess();
      await requireGivable(tx, granter, held);
      if (held.state !== 'waiting') throw refuse('request-already-decided', { field: 'id' });
      await carryOut(tx, held);
      await endAsking(tx, held);
      return { row: await requireElevation(tx, id), news: await concerned(tx, [held]) };
    },
  );
  changes.publish(news);
  return toElevationRow(row, caller.viewer);
}

/** What is given is what the role holds: one that was changed or deleted meanwhile has withdrawn the question. */
async function requireGivable(
  tx: Transaction,
  granter: Granter,
  { roleId, permissions, scope }: StoredElevation,
): Promise<void> {
  await requireRole(tx, roleId);
  requireMayGive(granter, { permissions, scope });
}

/** @throws PortalError 2003 */
export async function requireElevation(tx: Transaction, id: string): Promise<StoredElevation> {
  const found = await lockElevation(tx, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}
