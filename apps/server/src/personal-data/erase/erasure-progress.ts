import type { ErasureProgress, PersonReference } from '@deviceportal/contract/personal-data';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findErasureOf, type StoredErasure } from '../data/erasure-queries.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import { stepsOfRound } from './erase-batch.ts';
import { readErasedPerson } from './erased-person.ts';
import { requireWholeReach } from './find-person.ts';

/**
 * How far the erasure of a person is; null if there is none, or it was done by an earlier release.
 * @throws PortalError 1000 without the permission for all devices
 */
export function readErasureProgress(
  { database }: Pick<PersonalDataDeps, 'database'>,
  viewer: Viewer,
  reference: PersonReference,
): Promise<ErasureProgress | null> {
  requireWholeReach(viewer, 'people:erase');
  return inTransaction(database, (tx) => findProgress(tx, reference));
}

export async function findProgress(
  tx: Transaction,
  reference: PersonReference,
): Promise<ErasureProgress | null> {
  const erasure = await findErasureOf(tx, reference);
  if (erasure === undefined) return null;
  const { changed, deleted, waitsFor, beganAt, endedAt, dueAt, failures } = erasure;
  return {
    state: stateOf(erasure),
    pseudonym: pseudonymOf(reference.id),
    beganAt: beganAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    ...(await stepOf(tx, erasure)),
    ...{ changed, deleted, waitsFor },
    retryAt: failures > 0 && endedAt === null ? dueAt.toISOString() : null,
  };
}

function stateOf({ round, endedAt }: StoredErasure): ErasureProgress['state'] {
  if (endedAt !== null) return 'erased';
  return round === 1 ? 'erasing' : 'finishing';
}

async function stepOf(
  tx: Transaction,
  erasure: StoredErasure,
): Promise<Pick<ErasureProgress, 'done' | 'steps' | 'part'>> {
  const steps = stepsOfRound(1, await readErasedPerson(tx, erasure));
  if (erasure.round > 1) return { done: steps.length, steps: steps.length, part: null };
  const done = Math.max(
    0,
    steps.findIndex(({ key }) => key === erasure.step),
  );
  return { done, steps: steps.length, part: steps[done]?.part ?? null };
}
