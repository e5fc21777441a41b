import type { z } from 'zod';
import type { erasePersonInput, PersonErased } from '@deviceportal/contract/personal-data';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { serializeAccessChange } from '../../access/serialize-access-change.ts';
import { ownAccess } from '../../access/roles/granter.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { findHoldsOfPerson } from '../../legal-holds/data/hold-queries.ts';
import { countOpenCases } from '../../cases/data/erase-case-queries.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import { recordHeldErasure } from './record-held-erasure.ts';
import { advanceErasures } from './advance-erasures.ts';
import { beginErasure, type BegunErasure } from './begin-erasure.ts';
import { findProgress } from './erasure-progress.ts';
import {
  holdWholePerson,
  idsOf,
  isErased,
  referencesOf,
  requireWholeReach,
  usernameOf,
  type WholePerson,
} from './find-person.ts';
import { findObstacles } from './preview-erasure.ts';

/** An erasure of few rows is complete when the call returns; a larger one continues in the background. */
const AT_ONCE_MS = 2_000;

/**
 * Erases a person permanently: removes identifying data where it can be changed, and destroys the key of the rest. IDs
 * and actions are kept under a pseudonym. When the call returns, the person cannot sign in and is shown only with the
 * pseudonym.
 *
 * @throws PortalError 1000 without the permission for all devices, or for the caller's own account; 2003; 2004 with the
 *   obstacle, if the username does not match, or if a legal hold covers the person: the erasure then starts after it
 */
export async function erasePerson(
  deps: PersonalDataDeps,
  caller: Caller,
  { username, ...reference }: z.infer<typeof erasePersonInput>,
): Promise<PersonErased> {
  const { viewer } = caller;
  requireWholeReach(viewer, 'people:erase');
  const begun = await serializeAccessChange(deps.database, async (tx) => {
    const person = await holdWholePerson(tx, reference);
    if (isErased(person, reference)) throw refuse('already-erased');
    if (usernameOf(person, reference) !== username)
      throw refuse('name-does-not-match', { field: 'username' });
    await requireNoObstacle(tx, caller, person);
    const holds = await findHoldsOfPerson(tx, idsOf(person));
    if (holds.length > 0) {
      await recordHeldErasure(tx, caller, { reference, person, holds });
      return { holds };
    }
    const erasure = await beginErasure(tx, person);
    await recordAudit(tx, [
      {
        type: 'people.erased',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        data: { ...referencesOf(person), keys: erasure.keys },
      },
    ]);
    return erasure;
  });
  if ('holds' in begun) {
    throw refuse('erasure-held', { facts: { holds: begun.holds.join(', ') } });
  }
  await afterBeginning(deps, begun);
  const progress = await inTransaction(deps.database, (tx) => findProgress(tx, reference));
  if (progress === null) throw new Error('the erasure has no row');
  return { pseudonym: pseudonymOf(reference.id), progress };
}

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

export type BeginDeps = Pick<
  PersonalDataDeps,
  'database' | 'changes' | 'erasingNames' | 'keepRegister' | 'userReportFiles' | 'exportFiles'
>;

/**
 * After the commit: drops cached keys in all processes, updates the register outside the database, and erases as much
 * as is possible in a short time.
 */
export async function afterBeginning(deps: BeginDeps, { id, people }: BegunErasure): Promise<void> {
  const { database, changes, erasingNames, keepRegister } = deps;
  personalKeysOf(database.orm).drop(people);
  await erasingNames.refresh();
  changes.publish([
    { kind: 'person-erased', people },
    { kind: 'audit-trail', deviceIds: [] },
  ]);
  await keepRegister();
  // The erasure is committed regardless of errors here: the background job continues, and reports them.
  await advanceErasures(deps, { id, limitMs: AT_ONCE_MS }).catch(() => {});
  await erasingNames.refresh();
}
