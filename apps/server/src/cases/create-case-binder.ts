import type { Database } from '../platform/database/database.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Viewer } from '../platform/viewer.ts';
import { createLookUpRecorder } from './create-look-up-recorder.ts';
import { findBoundCase } from './find-bound-case.ts';

export interface CaseBinder {
  /** The case that a request is bound to by its header; null for none. */
  readonly find: (viewer: Viewer, header: string | undefined) => Promise<string | null>;
  /** Called after every successful call in a case. */
  readonly onDone: (call: {
    readonly viewer: Viewer;
    readonly caseId: string;
    readonly kind: 'query' | 'mutation';
    readonly path: string;
    readonly input: unknown;
  }) => void;
}

/** Binds API calls to the case that they are made in. No other code does this. */
export function createCaseBinder(deps: {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
}): CaseBinder {
  const recordLookUp = createLookUpRecorder(deps);
  return {
    find: (viewer, header) => findBoundCase(deps, viewer, header),
    onDone: (call) => {
      if (call.kind === 'query') recordLookUp(call);
      // The action has written its own entry. Viewers of the case are notified here.
      else deps.changes.publish([{ kind: 'case', caseIds: [call.caseId] }]);
    },
  };
}
