import type { PastFinding } from '@deviceportal/contract/findings';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readPastFindings } from './data/finding-queries.ts';
import { withoutCommands } from './visible-facts.ts';

/** Closed findings of a device, latest first. */
export async function listPastFindings(
  on: Executor,
  viewer: Viewer,
  wanted: { readonly deviceId: string; readonly limit: number },
): Promise<PastFinding[]> {
  const found = await readPastFindings(on, viewer, wanted);
  return found.map(({ seesCommands, facts, ...row }) => ({
    ...row,
    facts: seesCommands ? facts : withoutCommands(row.rule, facts),
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt.toISOString(),
  }));
}
