import { IMPORT_HOURS, type ImportDetail } from '@deviceportal/contract/imports';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { StoredImport } from './data/import-queries.ts';

const HOUR_MS = 3_600_000;
const unconfirmed: ReadonlySet<string> = new Set(['uploading', 'checking', 'ready']);

/** An import as its user sees it. A file that was not confirmed in time counts as discarded. */
export function importDetail(row: StoredImport, now: Date): ImportDetail {
  const from = row.endedAt ?? row.createdAt;
  const keptUntil = new Date(from.getTime() + IMPORT_HOURS * HOUR_MS);
  const isPast = now >= keptUntil;
  return {
    ...{ id: row.id, kind: row.kind, fileName: row.fileName, counts: row.counts },
    state: isPast && unconfirmed.has(row.state) ? 'discarded' : row.state,
    ignoredColumns: row.ignoredColumns,
    problem: row.problem,
    createdAt: row.createdAt.toISOString(),
    confirmedAt: isoOrNull(row.confirmedAt),
    endedAt: isoOrNull(row.endedAt),
    keptUntil: keptUntil.toISOString(),
    canUndo: row.state === 'applied' && !isPast && row.counts.applied > 0,
    hasClaim: row.hasClaim,
  };
}
