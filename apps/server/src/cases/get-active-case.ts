import { sql } from 'drizzle-orm';
import type { ActiveCase } from '@deviceportal/contract/cases';
import type { Viewer } from '../platform/viewer.ts';
import { selectCases } from './case-store.ts';
import { findActiveCaseId } from './case-worker-store.ts';
import type { CasesDeps } from './cases-deps.ts';

/** The case that the viewer works in, on whichever screen or machine they entered it; null where there is none. */
export async function getActiveCase(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
): Promise<ActiveCase | null> {
  const id = await findActiveCaseId(database.orm, viewer.userId);
  if (id === null) return null;
  const where = sql`c.id = ${id} and c.state = 'open'`;
  const [found] = await selectCases(database.orm, viewer, { where, limit: 1 });
  if (found === undefined) return null;
  const { person, ticket, about, openedAt, entries } = found.row;
  return { id, person, ticket, about, openedAt, entries };
}
