import type { z } from 'zod';
import type { erasePersonInput, PersonErased } from '@deviceportal/contract/personal-data';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { serializeAccessChange } from '../../access/serialize-access-change.ts';
import { ownAccess } from '../../access/roles/granter.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { countOpenCases } from '../../cases/data/erase-case-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Caller } from '../../platform/viewer.ts';
import { deleteReportFiles } from '../../reports/report-files.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import { recordsOf } from '../record/record-file-name.ts';
import { eraseWhole, type WholeErasure } from './erase-whole.ts';
import {
  holdWholePerson,
  isErased,
  requireWholeReach,
  usernameOf,
  type WholePerson,
} from './find-person.ts';
import { findObstacles } from './preview-erasure.ts';

/**
 * Erases a person permanently: removes identifying data where it can be changed, and destroys the key of the rest. IDs
 * and actions are kept under a pseudonym.
 *
 * @throws PortalError 1000 without the permission for all devices, or for the caller's own account; 2003; 2004 with the
 *   obstacle, or if the username does not match
 */
export async function erasePerson(
  deps: PersonalDataDeps,
  caller: Caller,
  { username, ...reference }: z.infer<typeof erasePersonInput>,
): Promise<PersonErased> {
  const { viewer } = caller;
  requireWholeReach(viewer, 'people:erase');
  const done = await serializeAccessChange(deps.database, async (tx) => {
    const person = await holdWholePerson(tx, reference);
    if (isErased(person, reference)) throw refuse('already-erased');
    if (usernameOf(person, reference) !== username)
      throw refuse('name-does-not-match', { field: 'username' });
    await requireNoObstacle(tx, caller, person);
    const erasure = await eraseWhole(tx, person);
    const { changed, deleted, keys } = erasure;
    await recordAudit(tx, [
      {
        type: 'people.erased',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        data: { ...referencesOf(person), changed, deleted, keys },
      },
    ]);
    return erasure;
  });
  await afterErasure(deps, done);
  return { pseudonym: pseudonymOf(reference.id), changed: done.changed, deleted: done.deleted };
}

/** Only the IDs of the erased people. */
export const referencesOf = ({ user, customers }: WholePerson) => ({
  ...(user && { userId: user.id }),
  ...(customers.length > 0 && { personIds: customers.map(({ id }) => id) }),
});

async function requireNoObstacle(
  tx: Transaction,
  { viewer }: Caller,
  person: WholePerson,
): Promise<void> {
  const [obstacle] = await findObstacles(tx, viewer, person);
  if (obstacle !== undefined) throw await refusalOf(tx, obstacle, person);
}

async function refusalOf(
  tx: Transaction,
  obstacle: Awaited<ReturnType<typeof findObstacles>>[number],
  { user, customers }: WholePerson,
): Promise<PortalError> {
  switch (obstacle) {
    case 'own-access':
      return ownAccess();
    case 'user-has-not-left':
      return refuse('user-has-not-left', { facts: { status: user?.status ?? '' } });
    case 'cases-open': {
      const ids = customers.map(({ id }) => id);
      return refuse('cases-open', { facts: { cases: await countOpenCases(tx, ids) } });
    }
    case 'already-erased':
      return refuse('already-erased');
  }
}

/**
 * After the commit: drops cached keys in all processes, deletes files, and updates the register outside the database.
 */
async function afterErasure(
  { database, changes, userReportFiles, exportFiles, keepRegister }: PersonalDataDeps,
  { people, reportFiles }: WholeErasure,
): Promise<void> {
  personalKeysOf(database.orm).drop(people);
  changes.publish([
    { kind: 'person-erased', people },
    { kind: 'audit-trail', deviceIds: [] },
  ]);
  for (const id of reportFiles) await deleteReportFiles(userReportFiles, id);
  for (const person of people) await deleteRecords(exportFiles, person);
  await keepRegister();
}

async function deleteRecords(files: FileStore, personId: string): Promise<void> {
  const prefix = recordsOf(personId);
  for await (const { key } of files.list(prefix)) await files.remove(key);
  await files.removeUnfinished({ prefix });
}
