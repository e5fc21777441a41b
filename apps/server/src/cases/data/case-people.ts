import { QueryBuilder } from 'drizzle-orm/pg-core';
import { supportCase } from './cases-tables.ts';

/** The person of each case, for joins by `caseId`. */
export const casePeople = new QueryBuilder()
  .select({ caseId: supportCase.id, personId: supportCase.personId, ticket: supportCase.ticket })
  .from(supportCase)
  .as('case_person');
