import type { CaseRow } from '@deviceportal/contract/cases';
import type { Viewer } from '../platform/viewer.ts';
import { caseRow } from './case-row.ts';
import type { CasesDeps } from './cases-deps.ts';
import { selectCases } from './data/case-queries.ts';

/** The current state of cases within the viewer's scope. */
export async function casesById(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<CaseRow[]> {
  const found = await selectCases(database.orm, viewer, { ids }, { limit: ids.length });
  return found.map((stored) => caseRow(stored, viewer));
}
