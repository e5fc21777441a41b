import { newId } from '@deviceportal/contract/ids';
import type { PersonReference } from '@deviceportal/contract/personal-data';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { insertWaiting } from '../../legal-holds/data/waiting-erasure-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { referencesOf, type WholePerson } from './find-person.ts';

/** Stores the request for an erasure that waits for the end of a legal hold. */
export async function recordHeldErasure(
  tx: Transaction,
  caller: Caller,
  {
    reference: { kind, id },
    person,
    holds,
  }: {
    readonly reference: PersonReference;
    readonly person: WholePerson;
    readonly holds: readonly string[];
  },
): Promise<void> {
  await insertWaiting(tx, {
    ...{ id: newId(), kind, personId: id },
    requestedById: caller.viewer.userId,
    requestedAt: new Date(),
  });
  await recordAudit(tx, [
    {
      type: 'people.erasure-held',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { ...referencesOf(person), holds },
    },
  ]);
}
