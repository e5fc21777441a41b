import { eq, exists, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { supportCase } from './cases-tables.ts';

/** Whether any case is about a person. */
export const hasCase = (personId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: supportCase.id })
      .from(supportCase)
      .where(eq(supportCase.personId, personId)),
  );
