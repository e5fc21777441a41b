import { PortalError } from '@deviceportal/contract/errors';
import type { Caller } from '../../platform/viewer.ts';
import { recordSettings } from '../../audit-trail/record-settings.ts';
import { changeListPreference } from '../../access/data/preference-queries.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { findCommand } from '../data/command-definition-queries.ts';
import type { CommandsDeps } from '../commands-deps.ts';

/** @throws PortalError 4002 if the command is not in the catalog */
export async function setFavoriteCommand(
  { database }: Pick<CommandsDeps, 'database'>,
  caller: Caller,
  input: { readonly command: string; readonly favorite: boolean },
): Promise<void> {
  if ((await findCommand(database.orm, input.command)) === undefined) {
    throw new PortalError('commandNotFound', { facts: { command: input.command } });
  }
  await inTransaction(database, async (tx) => {
    const changed = await changeListPreference(tx, caller.viewer.userId, {
      key: 'favoriteCommands',
      item: input.command,
      isIn: input.favorite,
    });
    if (changed === undefined) return;
    await recordSettings(tx, caller, 'settings.preferences-changed', {
      before: { favoriteCommands: changed.before },
      after: { favoriteCommands: changed.after },
    });
  });
}
