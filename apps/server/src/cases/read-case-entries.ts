import type { CaseEntry } from '@deviceportal/contract/cases';
import type { Viewer } from '../platform/viewer.ts';
import type { CasesDeps } from './cases-deps.ts';
import { listCaseEntries } from './list-case-entries.ts';

/** The most entries that a report of a case contains. */
export const REPORTED_ENTRIES = 1_000;
const PAGE_SIZE = 100;

export interface ReadCaseEntries {
  /** Oldest first. */
  readonly entries: readonly CaseEntry[];
  /** Whether the case has earlier entries. */
  readonly isCut: boolean;
}

/** The newest entries of a case, as the viewer sees them. @throws PortalError 2003 for a case that they do not see */
export async function readCaseEntries(
  deps: Pick<CasesDeps, 'database' | 'vault'>,
  viewer: Viewer,
  caseId: string,
): Promise<ReadCaseEntries> {
  const entries: CaseEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listCaseEntries>> = await listCaseEntries(deps, viewer, {
      ...{ caseId, pageSize: PAGE_SIZE, cursor },
    });
    entries.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && entries.length < REPORTED_ENTRIES);
  return { entries: entries.toReversed(), isCut: cursor !== null };
}
