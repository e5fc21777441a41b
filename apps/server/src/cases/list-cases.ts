import type { z } from 'zod';
import type { CaseRow, listCasesInput } from '@deviceportal/contract/cases';
import type { Page } from '@deviceportal/contract/pages';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseRow } from './case-row.ts';
import { selectCases } from './data/case-queries.ts';
import type { CasesDeps } from './cases-deps.ts';

/** Cases of people within the viewer's scope, newest first. */
export async function listCases(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listCasesInput>,
): Promise<Page<CaseRow>> {
  const { state, outcome, personId, ticket, mine, pageSize } = input;
  const filter = {
    ...{ state, outcome, personId, ticket },
    workerId: mine ? viewer.userId : undefined,
    after: decodeMomentCursor(input.cursor),
  };
  const found = await selectCases(database.orm, viewer, filter, pageSize + 1);
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((stored) => caseRow(stored, viewer)),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.openedAtText, id: last.id }),
  };
}
