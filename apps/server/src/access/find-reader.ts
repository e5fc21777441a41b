import type { Database } from '../platform/database/database.ts';
import { findNameAndPreferences } from './data/preference-queries.ts';

/** What the portal knows of a person who is to read something. */
export interface Reader {
  readonly username: string;
  /** As chosen in the portal. */
  readonly language: string | undefined;
}

/** @param subject the person's `sub`; without one nothing is known */
export async function findReader(
  { database }: { readonly database: Pick<Database, 'orm'> },
  subject: string | undefined,
): Promise<Reader | undefined> {
  if (subject === undefined) return undefined;
  const found = await findNameAndPreferences(database.orm, subject);
  if (found === undefined) return undefined;
  const language = found.preferences['language'];
  return {
    username: found.username,
    language: typeof language === 'string' ? language : undefined,
  };
}
