import { growthLimits } from '@deviceportal/contract/growth-limits';
import { targetListLimit, type TargetList } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { limitReached } from '../../platform/growth-limits/limit-reached.ts';
import type { Viewer } from '../../platform/viewer.ts';
import {
  deleteUnusedLists,
  findTargetList,
  insertTargetList,
  LEAST_WEIGHT,
  lockListsOf,
  weighLists,
} from '../data/list/target-list-queries.ts';
import { isEverywhere } from '../is-everywhere.ts';
import { parseSerialNumbers } from './parse-serial-numbers.ts';

type Dependencies = { readonly database: Database; readonly clock: () => Date };

/**
 * Stores a pasted list, so that a URL can contain its ID. A leading `SN` is removed from a number if only the rest is a
 * device.
 */
export async function createTargetList(
  deps: Dependencies,
  viewer: Viewer,
  input: { readonly name: string; readonly text: string },
): Promise<TargetList> {
  const serialNumbers = parseSerialNumbers(input.text);
  if (serialNumbers.length === 0 || serialNumbers.length > targetListLimit) {
    throw serialNumbers.length === 0
      ? refuse('list-without-serial-numbers', { field: 'text' })
      : refuse('list-too-long', {
          field: 'text',
          facts: { count: serialNumbers.length, most: targetListLimit },
        });
  }
  const id = newId();
  await inTransaction(deps.database, async (tx) => {
    await makeRoom(tx, viewer, serialNumbers.length);
    await insertTargetList(tx, { id, name: input.name, viewer, serialNumbers, now: deps.clock() });
  });
  return getTargetList(deps, viewer, id);
}

/**
 * Deletes the viewer's oldest unused lists until there is room for the new one.
 * @throws PortalError 2004 if views, schedules, and open rollouts use too many of them
 */
async function makeRoom(tx: Transaction, { userId }: Viewer, entries: number): Promise<void> {
  await lockListsOf(tx, userId);
  const added = Math.max(entries, LEAST_WEIGHT);
  const tooMany = (await weighLists(tx, userId)) + added - growthLimits.targetListEntries.most;
  if (tooMany <= 0) return;
  const room = await deleteUnusedLists(tx, userId, tooMany);
  if (room < tooMany) throw limitReached('targetListEntries');
}

/**
 * A stored list with the devices in the viewer's scope. Missing entries are shown only to the user who pasted the list,
 * and to users who can see all devices; for others, they could reveal devices outside their scope.
 */
export async function getTargetList(
  deps: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<TargetList> {
  const row = await findTargetList(deps.database.orm, viewer, id);
  if (row === undefined) throw new PortalError('notFound');
  const seesAll = scopesOf(viewer.grants, ['devices:read']).some(isEverywhere);
  const seesMissing = seesAll || row.createdBy === viewer.userId;
  const count = seesMissing ? row.count : row.found;
  return {
    id: row.id,
    name: row.name,
    count,
    found: row.found,
    missing: seesMissing ? (row.missing ?? []) : [],
    missingCount: count - row.found,
    createdAt: row.createdAt.toISOString(),
  };
}
