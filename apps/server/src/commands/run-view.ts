import type { RunDetail, RunRow } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { FoundRun } from './data/runs/run-queries.ts';

/** A run with unmasked user names; callers mask them. */
export function runDetailOf(found: FoundRun): RunDetail {
  const { createdAtText: _text, pausedBy, pausedAt, ...run } = found;
  return {
    ...run,
    createdAt: isoOf(run.createdAt),
    endedAt: isoOrNull(run.endedAt),
    expiresAt: isoOf(run.expiresAt),
    paused:
      run.state === 'Paused' && pausedBy !== null && pausedAt !== null
        ? { by: pausedBy, at: isoOf(pausedAt) }
        : null,
    cancellable: run.endedAt === null && !isFinal(run.state) && run.state !== 'Cancelling',
  };
}

/** The part of a run that is shown in lists. */
export function runRowOf(found: FoundRun): RunRow {
  const {
    consequence: _consequence,
    maxConcurrency: _maxConcurrency,
    maxErrors: _maxErrors,
    timeoutSeconds: _timeoutSeconds,
    cancellable: _cancellable,
    paused: _paused,
    ...row
  } = runDetailOf(found);
  return row;
}
