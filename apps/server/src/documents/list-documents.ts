import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { DocumentRow, listDocumentsInput } from '@deviceportal/contract/documents';
import type { Page } from '@deviceportal/contract/pages';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { decodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { maskRow, selectDocumentRows } from './document-row-store.ts';

type ListDocuments = z.infer<typeof listDocumentsInput>;

export async function listDocuments(
  deps: { readonly database: Database },
  viewer: Viewer,
  input: ListDocuments,
): Promise<Page<DocumentRow>> {
  const direction = input.descending ? sql`desc` : sql`asc`;
  const order =
    input.sort === 'name'
      ? sql`d.name ${direction}`
      : sql`d.updated_at ${direction}, d.name ${direction}`;
  const found = await selectDocumentRows(deps.database.orm, {
    where: sql.join(conditionsOf(input, viewer), sql` and `),
    order,
    limit: input.pageSize + 1,
    scopes: scopesOf(viewer.grants, ['commands:read']),
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => maskRow(row, viewer)),
    nextCursor:
      last === undefined
        ? null
        : encodeCursor(input.sort === 'name' ? [last.row.name] : [last.sortedAt, last.row.name]),
  };
}

function conditionsOf(input: ListDocuments, viewer: Viewer): SQL[] {
  const conditions: SQL[] = [sql`true`];
  if (input.text !== '') {
    const pattern = `%${input.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    conditions.push(sql`(d.name ilike ${pattern} or d.description ilike ${pattern})`);
  }
  if (input.states.length > 0) conditions.push(inState(input.states));
  if (input.waitingForMe) conditions.push(waitingFor(viewer));
  if (input.consequences.length > 0) {
    conditions.push(sql`v.consequence = any(${sql.param(input.consequences)})`);
  }
  const after = afterCursor(input);
  return after === null ? conditions : [...conditions, after];
}

/** What is asked for as "in review" is what waits for somebody, whether or not an earlier version is active. */
function inState(states: readonly string[]): SQL {
  const own = sql`d.state = any(${sql.param(states)})`;
  if (!states.includes('review')) return own;
  return sql`(${own} or exists (select 1 from document_version r
                                where r.document_name = d.name and r.state = 'review'))`;
}

function waitingFor(viewer: Viewer): SQL {
  if (!holds(viewer.grants, 'documents:approve')) return sql`false`;
  return sql`exists (select 1 from document_version r where r.document_name = d.name and r.state = 'review'
                       and r.created_by_id is distinct from ${viewer.userId})`;
}

function afterCursor(input: ListDocuments): SQL | null {
  const comparison = input.descending ? sql`<` : sql`>`;
  if (input.cursor !== null && input.sort === 'name') {
    const [name] = decodeCursor(input.cursor, 1);
    return sql`d.name ${comparison} ${name ?? ''}`;
  }
  const cursor = decodeMomentCursor(input.cursor, z.string());
  if (cursor === null) return null;
  return sql`(d.updated_at, d.name) ${comparison} (${cursor.at}::timestamptz, ${cursor.id})`;
}
