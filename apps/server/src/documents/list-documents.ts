import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { DocumentRow, listDocumentsInput } from '@deviceportal/contract/documents';
import type { Page } from '@deviceportal/contract/pages';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { decodeMomentCursor } from '../platform/moment-cursor.ts';
import { selectDocumentRows } from './document-row-store.ts';

type ListDocuments = z.infer<typeof listDocumentsInput>;

export async function listDocuments(
  deps: { readonly database: Database },
  input: ListDocuments,
): Promise<Page<DocumentRow>> {
  const direction = input.descending ? sql`desc` : sql`asc`;
  const order =
    input.sort === 'name'
      ? sql`d.name ${direction}`
      : sql`d.updated_at ${direction}, d.name ${direction}`;
  const found = await selectDocumentRows(deps.database.orm, {
    where: sql.join(conditionsOf(input), sql` and `),
    order,
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => row),
    nextCursor:
      last === undefined
        ? null
        : encodeCursor(input.sort === 'name' ? [last.row.name] : [last.sortedAt, last.row.name]),
  };
}

function conditionsOf(input: ListDocuments): SQL[] {
  const conditions: SQL[] = [sql`true`];
  if (input.text !== '') {
    const pattern = `%${input.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    conditions.push(sql`(d.name ilike ${pattern} or d.description ilike ${pattern})`);
  }
  if (input.states.length > 0) conditions.push(sql`d.state = any(${sql.param(input.states)})`);
  if (input.consequences.length > 0) {
    conditions.push(sql`d.consequence = any(${sql.param(input.consequences)})`);
  }
  const after = afterCursor(input);
  return after === null ? conditions : [...conditions, after];
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
