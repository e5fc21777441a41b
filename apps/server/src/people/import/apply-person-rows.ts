import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { RowRace } from '../../imports/row-race.ts';
import type { RowChange, RowOrigin } from '../../imports/row-kind.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { writePeopleBatch } from '../data/import-people-queries.ts';
import { findPersonIds, insertPeople } from '../data/insert-people.ts';
import type { PersonValues } from './judge-person-rows.ts';

/**
 * Adds and changes people. Events name the person by ID and the changed columns, without their values: names and
 * addresses are personal data. They have the ID of the import as their request.
 */
export async function applyPersonRows(
  tx: Transaction,
  origin: RowOrigin,
  rows: readonly RowChange<PersonValues>[],
): Promise<readonly Change[]> {
  const added = rows.filter(({ before }) => before === null);
  await insertPeople(
    tx,
    added.map(({ targetId, after }) => ({ id: targetId, ...after })),
  );
  const ids = await findPersonIds(
    tx,
    added.map(({ after }) => after.username),
  );
  if (added.some(({ targetId, after }) => ids.get(after.username) !== targetId))
    throw new RowRace('a person with the same username was added');
  await recordPeople(tx, origin, 'people.created', added);
  await changePeople(tx, origin, rows);
  return changesOf(rows);
}

/** Writes new values of existing people. */
export async function changePeople(
  tx: Transaction,
  origin: RowOrigin,
  rows: readonly RowChange<PersonValues>[],
): Promise<void> {
  const changed = rows.filter(({ before }) => before !== null);
  if (changed.length === 0) return;
  await writePeopleBatch(
    tx,
    changed.map(({ targetId, after }) => ({ id: targetId, ...after })),
  );
  await recordPeople(tx, origin, 'people.updated', changed);
}

const columns = ['name', 'email', 'phone', 'country', 'language'] as const;

export async function recordPeople(
  tx: Transaction,
  { caller, importId }: RowOrigin,
  type: 'people.created' | 'people.updated' | 'people.deleted',
  rows: readonly RowChange<PersonValues>[],
): Promise<void> {
  const actor = actorOf(caller.viewer, caller);
  await recordAudit(
    tx,
    rows.map(({ targetId, before, after }) => ({
      type,
      ...{ actor, requestId: importId },
      data: {
        ...{ by: 'import', personId: targetId },
        ...(before !== null && {
          changed: columns.filter((column) => before[column] !== after[column]),
        }),
      },
    })),
  );
}

export const changesOf = (rows: readonly unknown[]): readonly Change[] =>
  rows.length === 0 ? [] : [{ kind: 'audit-trail', deviceIds: [] }];
