import type { Viewer } from '../platform/viewer.ts';
import { findQueues } from './data/find-queues.ts';
import type { CasesDeps } from './cases-deps.ts';

const SHOWN = 50;

/** Queues of open cases within the viewer's scope. */
export async function listQueues(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  { text }: { readonly text: string },
): Promise<string[]> {
  return findQueues(database.orm, viewer, { text, limit: SHOWN });
}
