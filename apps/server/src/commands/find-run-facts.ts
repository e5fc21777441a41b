import type { RunDetail } from '@deviceportal/contract/runs';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { StatusDetails } from '@deviceportal/contract/states';
import { openNames } from '../audit-trail/open-personal-fields.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  findEnders,
  groupEndedInvocations,
  groupOpenInvocations,
  type OpenCause,
} from './data/runs/run-facts-queries.ts';
import { findRampLimit } from './data/runs/run-queries.ts';
import { NO_RAMP } from './execution/run-state-machine.ts';
import { getRun } from './get-run.ts';

interface FirstOfThem {
  readonly invocationId: string;
  readonly deviceId: string;
  readonly device: string;
}

export interface OpenGroup extends FirstOfThem {
  readonly cause: OpenCause;
  readonly count: number;
  /** Start of the cause for the first invocation. */
  readonly since: string | null;
}

export interface EndedGroup extends FirstOfThem {
  readonly statusDetails: StatusDetails;
  readonly count: number;
}

/** Facts that explain the state of a run, about devices within the viewer's scope. */
export interface RunReasonFacts {
  readonly run: RunDetail;
  /** Number of invocations that can be in progress now. */
  readonly rampLimit: number;
  readonly open: readonly OpenGroup[];
  /** Whether more invocations are open than were counted. */
  readonly openIsMore: boolean;
  /** Most frequent first, without successes. */
  readonly ended: readonly EndedGroup[];
  readonly cancelledBy: RunEnder | null;
  /** The user who rejected its approval, which also cancels the run. */
  readonly rejectedBy: (RunEnder & { readonly comment: string | null }) | null;
}

export interface RunEnder {
  readonly by: string;
  readonly at: string | null;
}

/** Larger numbers exist only briefly, and an estimate is sufficient then. */
const OPEN_COUNTED = 10_000;

/** @throws PortalError 5000 if there is no such run within the viewer's scope */
export async function findRunFacts(
  { database }: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<RunReasonFacts> {
  const { orm } = database;
  const run = await getRun({ database }, viewer, id);
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const [rampLimit = 1, open, ended, enders] = await Promise.all([
    findRampLimit(orm, id, { targetCount: run.counters.target, noRamp: NO_RAMP }),
    groupOpenInvocations(orm, scopes, { runId: id, limit: OPEN_COUNTED }),
    groupEndedInvocations(orm, scopes, id),
    findEnders(orm, id),
  ]);
  const textOf = ({ by, byId }: (typeof enders)[number]) => ({ text: by, userId: byId });
  const shown = await openNames(orm, enders.map(textOf));
  const enderOf = (type: (typeof enders)[number]['type']) => {
    const found = enders.find((ender) => ender.type === type);
    if (found === undefined) return null;
    return {
      by: maskUser(shown(textOf(found)), viewer),
      at: isoOf(found.at),
      comment: found.comment,
    };
  };
  return {
    ...{ run, rampLimit, ended },
    open: open.map(({ first, since, ...group }) => ({
      ...group,
      ...first,
      since: isoOrNull(since),
    })),
    openIsMore: open.reduce((sum, { count }) => sum + count, 0) >= OPEN_COUNTED,
    cancelledBy: enderOf('command.cancel-requested'),
    rejectedBy: enderOf('command.rejected'),
  };
}
