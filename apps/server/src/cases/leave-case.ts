import type { Viewer } from '../platform/viewer.ts';
import { clearActiveCase } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';

/** Ends the viewer's work in their active case. The case stays open. */
export async function leaveCase(
  { database, changes }: Pick<CasesDeps, 'database' | 'changes'>,
  viewer: Viewer,
): Promise<void> {
  const left = await clearActiveCase(database.orm, viewer.userId);
  if (left !== null) changes.publish([{ kind: 'case', caseIds: [left] }]);
}
