import { lazy, Suspense, useState, type ReactNode } from 'react';
import Spinner from '@cloudscape-design/components/spinner';
import type { RemedyRun } from './remedy-run.ts';
import { useReadsOnly } from './use-reads-only.ts';

const InPlaceRun = lazy(async () => ({
  default: (await import('./in-place-run.tsx')).InPlaceRun,
}));

export interface RunInPlace {
  /** Runs the command again if it has run before. */
  readonly start: () => void;
  /** The state and the live output, once started. */
  readonly result: ReactNode;
}

/**
 * Runs a remedy on the current page and shows its output there. Null for a remedy that changes the
 * device or that the user cannot run: it is opened in its form, which confirms it.
 */
export function useRunInPlace(remedy: RemedyRun | null): RunInPlace | null {
  const [runs, setRuns] = useState(0);
  const readsOnly = useReadsOnly(remedy?.command ?? null);
  if (remedy === null || (!readsOnly && runs === 0)) return null;
  return {
    start: () => setRuns((count) => count + 1),
    result:
      runs === 0 ? null : (
        <Suspense fallback={<Spinner />}>
          <InPlaceRun key={runs} remedy={remedy} onClose={() => setRuns(0)} />
        </Suspense>
      ),
  };
}
