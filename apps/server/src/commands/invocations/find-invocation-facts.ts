import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { openNames } from '../../audit-trail/open-personal-fields.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { Database } from '../../platform/database/database.ts';
import { isoMoments } from '../../platform/iso-moments.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import * as queries from '../data/invocation-facts-queries.ts';
import { freePlaces, NO_RAMP, placesOf } from '../execution/run-state-machine.ts';

type StoredFacts = NonNullable<Awaited<ReturnType<typeof queries.findInvocationFacts>>>;

/** Facts that explain the state of an invocation. Times are ISO 8601. */
export type InvocationReasonFacts = ReturnType<typeof toFacts>;

/** @throws PortalError 5000 if there is no such invocation within the viewer's scope */
export async function findInvocationFacts(
  { database }: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<InvocationReasonFacts> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const stored = await queries.findInvocationFacts(database.orm, scopes, id);
  if (stored === undefined)
    throw new PortalError('invocationNotFound', { facts: { invocationId: id } });
  const { endedBy } = stored;
  if (endedBy === null) return toFacts(stored, viewer);
  const text = { text: endedBy.by, userId: endedBy.kind === 'user' ? endedBy.byId : null };
  const shown = await openNames(database.orm, [text]);
  return toFacts({ ...stored, endedBy: { ...endedBy, by: shown(text) } }, viewer);
}

function toFacts({ pace, ...stored }: StoredFacts, viewer: Viewer) {
  const isWhole = stored.targetCount === pace.targetCount;
  const seen = isWhole ? pace : { ...pace, targetCount: stored.targetCount, rampLimit: NO_RAMP };
  const { pausedBy, behind, endedBy } = stored;
  return {
    ...isoMoments(stored),
    /** Number of invocations that can be in progress now. */
    places: placesOf(seen).now,
    /** Whether the run has a free place. */
    isItsTurn: freePlaces(pace) > 0,
    pausedBy: pausedBy === null ? null : maskUser(pausedBy, viewer),
    behind: behind && {
      ...behind,
      by: maskUser(behind.by, viewer),
      startedAt: isoOf(behind.startedAt),
    },
    endedBy: endedBy && {
      ...{ type: endedBy.type, kind: endedBy.kind, reason: endedBy.reason },
      by: maskUser(endedBy.by, viewer),
      at: isoOf(endedBy.at),
    },
  };
}
