import type { Preferences } from '@deviceportal/contract/session';
import { recordSettings } from '../audit-trail/record-settings.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { savePreferences } from './data/preference-queries.ts';

/** Whether the navigation is open is view state, so its changes are not recorded. */
const UNRECORDED: readonly string[] = ['navigationOpen'] satisfies (keyof Preferences)[];

/** Merges preferences into the stored ones. Changes are recorded in the audit trail with their previous values. */
export async function updatePreferences(
  { database }: { readonly database: Pick<Database, 'orm'> },
  caller: Caller,
  preferences: Preferences,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const changed = await savePreferences(tx, caller.viewer.userId, preferences);
    const recorded = changed.filter(({ key }) => !UNRECORDED.includes(key));
    if (recorded.length === 0) return;
    await recordSettings(tx, caller, 'settings.preferences-changed', {
      before: Object.fromEntries(recorded.map(({ key, before }) => [key, before])),
      after: Object.fromEntries(recorded.map(({ key, after }) => [key, after])),
    });
  });
}
