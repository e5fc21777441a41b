import type { Preferences } from '@deviceportal/contract/session';
import type { Database } from '../platform/database/database.ts';
import { savePreferences } from './user-store.ts';

/** Lays the given preferences over those on record; what is not named stays. */
export async function keepPreferences(
  { database }: { readonly database: Pick<Database, 'orm'> },
  userId: string,
  preferences: Preferences,
): Promise<void> {
  await savePreferences(database.orm, userId, preferences);
}
