import type { ActiveCase } from '@deviceportal/contract/cases';
import type { Viewer } from '../platform/viewer.ts';
import { caseRow } from './case-row.ts';
import { selectCases } from './data/case-queries.ts';
import { findActiveCaseId } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';

/** The viewer's active case, independent of the browser in which they entered it; null for none. */
export async function getActiveCase(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
): Promise<ActiveCase | null> {
  const id = await findActiveCaseId(database.orm, viewer.userId);
  if (id === null) return null;
  const [found] = await selectCases(database.orm, viewer, { id, state: 'open' }, { limit: 1 });
  if (found === undefined) return null;
  const { person, ticket, about, openedAt, entries } = caseRow(found, viewer);
  return { id, person, ticket, about, openedAt, entries };
}
