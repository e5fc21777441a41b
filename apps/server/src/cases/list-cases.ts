import type { z } from 'zod';
import type { CaseRow, listCasesInput } from '@deviceportal/contract/cases';
import type { Page } from '@deviceportal/contract/pages';
import { encodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseRow } from './case-row.ts';
import { decodeCaseCursor } from './data/case-order.ts';
import { selectCases } from './data/case-queries.ts';
import type { CasesDeps } from './cases-deps.ts';

/** Cases of people within the viewer's scope, by default the newest first. */
export async function listCases(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listCasesInput>,
): Promise<Page<CaseRow>> {
  const { state, outcome, personId, ticket, mine, assignee, priority, queue, overdue } = input;
  const { sort, descending, pageSize } = input;
  const filter = {
    ...{ state, outcome, personId, ticket, priority, queue, overdue },
    workerId: mine ? viewer.userId : undefined,
    assignee: assignee === 'me' ? viewer.userId : assignee,
  };
  const order = { sort, descending };
  const after = decodeCaseCursor(input.cursor, order);
  const found = await selectCases(database.orm, viewer, filter, {
    ...{ order, after },
    limit: pageSize + 1,
  });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((stored) => caseRow(stored, viewer)),
    nextCursor: last === undefined ? null : encodeCursor(last.sortValues),
  };
}
