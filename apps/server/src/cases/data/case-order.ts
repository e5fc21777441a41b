import { asc, desc, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { CaseSort } from '@deviceportal/contract/cases';
import { refuse } from '@deviceportal/contract/refuse';
import { decodeCursor } from '../../platform/keyset-cursor.ts';
import { timestampTextSchema } from '../../platform/moment-cursor.ts';
import { dueOrNever, supportCase } from './cases-tables.ts';

export interface CaseOrder {
  readonly sort: CaseSort;
  readonly descending: boolean;
}

interface SortKey {
  readonly value: SQL;
  readonly type: SQL;
  readonly schema: z.ZodType<string>;
}

const opened: SortKey = {
  value: sql`${supportCase.openedAt}`,
  type: sql`timestamptz`,
  schema: timestampTextSchema,
};
/** Cases without a due time come after all others. */
const due: SortKey = {
  value: dueOrNever(supportCase.dueAt),
  type: sql`timestamptz`,
  schema: z.union([timestampTextSchema, z.literal('infinity')]),
};
const priority: SortKey = {
  value: sql`${supportCase.priority}`,
  type: sql`smallint`,
  schema: z.string().regex(/^\d{1,2}$/),
};
const id: SortKey = { value: sql`${supportCase.id}`, type: sql`uuid`, schema: z.uuid() };

/** The keys of each order, which are the columns of an index. All have the same direction. */
const keys: Readonly<Record<CaseSort, readonly SortKey[]>> = {
  opened: [opened, id],
  due: [due, id],
  priority: [priority, due, id],
};

/** The values of a row by which the next page continues, in PostgreSQL's text format. */
export const sortValues = ({ sort }: CaseOrder): SQL<string[]> =>
  sql<string[]>`array[${sql.join(
    keys[sort].map(({ value }) => sql`(${value})::text`),
    sql`, `,
  )}]`;

export const orderBy = ({ sort, descending }: CaseOrder): SQL[] =>
  keys[sort].map(({ value }) => (descending ? desc(value) : asc(value)));

/** @throws PortalError 2004 if the text is not a cursor of this order */
export function decodeCaseCursor(
  cursor: string | null,
  { sort }: CaseOrder,
): readonly string[] | null {
  if (cursor === null) return null;
  const values = decodeCursor(cursor, keys[sort].length);
  return keys[sort].map(({ schema }, index) => {
    const parsed = schema.safeParse(values[index]);
    if (!parsed.success) throw refuse('cursor-invalid', { field: 'cursor' });
    return parsed.data;
  });
}

/** Rows after the values of a cursor. */
export function isAfter(after: readonly string[], { sort, descending }: CaseOrder): SQL {
  const list = (parts: readonly SQL[]): SQL => sql`(${sql.join([...parts], sql`, `)})`;
  const values = keys[sort].map(({ type }, index) => sql`${after[index] ?? ''}::${type}`);
  return sql`${list(keys[sort].map(({ value }) => value))} ${descending ? sql`<` : sql`>`} ${list(values)}`;
}
