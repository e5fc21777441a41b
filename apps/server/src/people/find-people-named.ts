import type { Database } from '../platform/database/database.ts';
import { findNamesTaken } from './data/named-person-queries.ts';

/** Which of these texts are the name or username of a person or user, except one. */
export async function findPeopleNamed(
  { database }: { readonly database: Database },
  candidates: readonly string[],
  exceptId: string,
): Promise<string[]> {
  return candidates.length === 0 ? [] : findNamesTaken(database.orm, candidates, exceptId);
}
