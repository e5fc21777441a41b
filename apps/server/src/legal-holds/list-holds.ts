import type {
  HeldSubject,
  LegalHoldRow,
  LegalHolds,
  LegalHoldState,
  WaitingErasure,
} from '@deviceportal/contract/legal-holds';
import { holds } from '@deviceportal/contract/permissions';
import { findWholePerson } from '../personal-data/erase/find-person.ts';
import { maskName } from '../people/mask-person.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findHoldsOfPerson, listHolds, type NamedHold } from './data/hold-queries.ts';
import { findLabels } from './data/subject-labels.ts';
import { listWaiting, type NamedWaiting } from './data/waiting-erasure-queries.ts';
import type { LegalHoldsDeps } from './legal-holds-deps.ts';

/** All holds, and the erasures that wait for them. Names of people are masked without `people:read`. */
export async function listLegalHolds(
  { database: { orm }, clock }: LegalHoldsDeps,
  viewer: Viewer,
): Promise<LegalHolds> {
  const found = await listHolds(orm);
  const labels = await findLabels(
    orm,
    found.map(({ id }) => id),
  );
  const nameOf = (name: string): string =>
    holds(viewer.grants, 'people:read') ? name : maskName(name);
  const subjectOf = (subject: HeldSubject): HeldSubject =>
    subject.kind === 'user' || subject.kind === 'customer'
      ? { ...subject, label: nameOf(subject.label) }
      : subject;
  const rows = found.map((hold): LegalHoldRow => {
    const state = stateOf(hold, clock());
    return {
      id: hold.id,
      name: hold.name,
      reason: hold.reason,
      subjects: (labels.get(hold.id) ?? []).map(subjectOf),
      from: isoOrNull(hold.heldFrom),
      to: isoOrNull(hold.heldTo),
      until: isoOrNull(hold.until),
      state,
      setBy: hold.setBy && nameOf(hold.setBy),
      setAt: hold.setAt.toISOString(),
      releaseReason: hold.releaseReason,
      releaseRequestedBy: hold.releaseRequestedBy && nameOf(hold.releaseRequestedBy),
      releaseRequestedAt: isoOrNull(hold.releaseRequestedAt),
      endedBy: hold.endedBy && nameOf(hold.endedBy),
      endedAt: isoOrNull(hold.endedAt ?? (state === 'expired' ? hold.until : null)),
      canApprove: state === 'release-requested' && hold.releaseRequestedById !== viewer.userId,
    };
  });
  const waiting = await Promise.all(
    (await listWaiting(orm)).map(async (each): Promise<WaitingErasure> => ({
      ...shownWaiting(each, nameOf),
      holds: await holdsOf(orm, each),
    })),
  );
  return { holds: rows, waiting };
}

function stateOf(
  { endedAt, endedById, until, releaseRequestedById }: NamedHold,
  now: Date,
): LegalHoldState {
  if (endedAt !== null) return endedById === null ? 'expired' : 'released';
  if (until !== null && until <= now) return 'expired';
  return releaseRequestedById === null ? 'active' : 'release-requested';
}

const shownWaiting = (
  { id, kind, personId, username, requestedBy, requestedAt }: NamedWaiting,
  nameOf: (name: string) => string,
) => ({
  ...{ id, kind, personId },
  username: nameOf(username),
  requestedBy: requestedBy && nameOf(requestedBy),
  requestedAt: requestedAt.toISOString(),
});

async function holdsOf(
  on: LegalHoldsDeps['database']['orm'],
  { kind, personId }: NamedWaiting,
): Promise<string[]> {
  const { user, customers } = await findWholePerson(on, { kind, id: personId });
  return findHoldsOfPerson(on, {
    userId: user?.id ?? null,
    customerIds: customers.map(({ id }) => id),
  });
}
