import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { serializeAccessChange } from '../../access/serialize-access-change.ts';
import { findHoldsOfPerson } from '../../legal-holds/data/hold-queries.ts';
import {
  listWaiting,
  lockWaiting,
  markBegun,
  type StoredWaiting,
} from '../../legal-holds/data/waiting-erasure-queries.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import { beginErasure, type BegunErasure } from './begin-erasure.ts';
import { afterBeginning, type BeginDeps } from './erase-person.ts';
import { holdWholePerson, idsOf, isErased, referencesOf } from './find-person.ts';
import { findObstacles } from './preview-erasure.ts';

/** Starts the erasures that waited for a legal hold which has ended. Those with another obstacle wait further. */
export async function resumeHeldErasures(deps: BeginDeps): Promise<void> {
  for (const waiting of await listWaiting(deps.database.orm)) {
    const begun = await resume(deps, waiting);
    if (begun !== undefined) await afterBeginning(deps, begun);
  }
}

function resume(
  { database }: Pick<PersonalDataDeps, 'database'>,
  { id, kind, personId, requestedById }: StoredWaiting,
): Promise<BegunErasure | undefined> {
  return serializeAccessChange(database, async (tx) => {
    if ((await lockWaiting(tx, id)) === undefined) return undefined;
    const person = await holdWholePerson(tx, { kind, id: personId });
    const isDone = isErased(person, { kind, id: personId });
    if (!isDone && (await findHoldsOfPerson(tx, idsOf(person))).length > 0) return undefined;
    if (!isDone && (await findObstacles(tx, undefined, person)).length > 0) return undefined;
    await markBegun(tx, id);
    if (isDone) return undefined;
    const erasure = await beginErasure(tx, person);
    await recordAudit(tx, [
      {
        type: 'people.erased',
        actor: systemActor,
        data: { ...referencesOf(person), keys: erasure.keys, requestedBy: requestedById },
      },
    ]);
    return erasure;
  });
}
