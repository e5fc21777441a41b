import { scopesOf } from '@deviceportal/contract/permissions';
import type { Database, Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  readFindingCounts,
  readStateCounts,
  type Counted,
  type FindingCountRow,
  type StateCount,
} from './data/count-queries.ts';
import { labelSetsOfScopes, type LabelSetScopes } from './label-sets-of-scopes.ts';

interface Deps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** Older counters are not used: their job does not run, or is far behind. */
const MAX_AGE_MS = 30_000;

/** The devices in the viewer's scope by state; null if the counters do not cover the scope, or are not current. */
export const countedStates = (deps: Deps, viewer: Viewer): Promise<Counted<StateCount> | null> =>
  readCurrent(deps, viewer, readStateCounts);

/** The same by finding. */
export const countedFindings = (
  deps: Deps,
  viewer: Viewer,
): Promise<Counted<FindingCountRow> | null> => readCurrent(deps, viewer, readFindingCounts);

async function readCurrent<Row>(
  { database, clock }: Deps,
  viewer: Viewer,
  read: (on: Executor, sets: readonly LabelSetScopes[]) => Promise<Counted<Row> | null>,
): Promise<Counted<Row> | null> {
  const sets = labelSetsOfScopes(scopesOf(viewer.grants, ['devices:read']));
  const found = sets === null ? null : await read(database.orm, sets);
  return found !== null && clock().getTime() - found.asOf.getTime() <= MAX_AGE_MS ? found : null;
}
