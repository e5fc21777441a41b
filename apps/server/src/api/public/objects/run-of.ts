import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { RunRow } from '@deviceportal/contract/runs';

/** A run as applications see it. */
export function runOf(row: RunRow): OperationOutput<'listRuns'>['items'][number] {
  const { id, command, documentName, documentVersion, state, statusDetails, counters } = row;
  const { comment, createdBy, createdAt, endedAt, expiresAt } = row;
  return {
    ...{ id, command, document: documentName, documentVersion, state, statusDetails },
    devices: {
      total: counters.target,
      pending: counters.pending,
      inProgress: counters.inProgress,
      succeeded: counters.success,
      failed: counters.failed,
      timedOut: counters.timedOut,
      canceled: counters.cancelled,
    },
    parameters: { ...row.parameters },
    ...{ reason: comment, createdBy, createdAt, endedAt, expiresAt },
  };
}
