import type { Executor } from '../platform/database/database.ts';
import { findNameAndPreferences } from './data/preference-queries.ts';

/** The recipient of a message. */
export interface Reader {
  readonly username: string;
  /** As chosen in the portal. */
  readonly language: string | undefined;
}

/** @param subject the user's `sub`; undefined for a recipient who is not a user */
export async function findReader(
  on: Executor,
  subject: string | undefined,
): Promise<Reader | undefined> {
  if (subject === undefined) return undefined;
  const found = await findNameAndPreferences(on, subject);
  if (found === undefined) return undefined;
  const language = found.preferences['language'];
  return {
    username: found.username,
    language: typeof language === 'string' ? language : undefined,
  };
}
