import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { CaseRow, listCasesInput } from '@deviceportal/contract/cases';
import type { Page } from '@deviceportal/contract/pages';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectCases } from './case-store.ts';
import type { CasesDeps } from './cases-deps.ts';
import { ticketBegins } from './ticket-begins.ts';

/** Cases of people within the viewer's scope, newest first. */
export async function listCases(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listCasesInput>,
): Promise<Page<CaseRow>> {
  const after = decodeMomentCursor(input.cursor);
  const conditions: SQL[] = [sql`true`];
  if (input.state !== null) conditions.push(sql`c.state = ${input.state}`);
  if (input.outcome !== null) conditions.push(sql`c.outcome = ${input.outcome}`);
  if (input.personId !== null) conditions.push(sql`c.person_id = ${input.personId}`);
  if (input.ticket !== '') conditions.push(ticketBegins(input.ticket));
  if (input.mine) {
    conditions.push(
      sql`c.id in (select w.case_id from case_worker w where w.user_id = ${viewer.userId})`,
    );
  }
  if (after !== null)
    conditions.push(sql`(c.opened_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  const found = await selectCases(database.orm, viewer, {
    where: sql.join(conditions, sql` and `),
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => row),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.openedAtText, id: last.row.id }),
  };
}
