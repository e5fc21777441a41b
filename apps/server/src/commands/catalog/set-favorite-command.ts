import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import type { Caller } from '../../platform/viewer.ts';
import { recordSettings } from '../../audit-trail/record-settings.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { findCommand } from './command-definition-store.ts';
import type { CommandsDeps } from '../commands-deps.ts';

/** @throws PortalError 4002 for a command that is not in the catalogue */
export async function setFavouriteCommand(
  { database }: Pick<CommandsDeps, 'database'>,
  caller: Caller,
  input: { readonly command: string; readonly favourite: boolean },
): Promise<void> {
  if ((await findCommand(database.orm, input.command)) === undefined) {
    throw new PortalError('commandNotFound', { facts: { command: input.command } });
  }
  await inTransaction(database, async (tx) => {
    // One statement, so that two tabs cannot undo each other.
    const { rows } = await tx.execute(sql`
      with old as materialized (
        select id, coalesce(preferences->'favouriteCommands', '[]'::jsonb) as names
        from portal_user where id = ${caller.viewer.userId} for update),
      changed as materialized (
        select id, names as before, case when ${input.favourite} then names || to_jsonb(array[${input.command}::text])
          else names - ${input.command}::text end as after
        from old where (names ? ${input.command}) <> ${input.favourite}),
      written as (
        update portal_user u
        set preferences = u.preferences || jsonb_build_object('favouriteCommands', changed.after)
        from changed where u.id = changed.id)
      select before, after from changed`);
    const changed = rows[0] as { before: unknown; after: unknown } | undefined;
    if (changed === undefined) return;
    await recordSettings(tx, caller, 'settings.preferences-changed', {
      before: { favouriteCommands: changed.before },
      after: { favouriteCommands: changed.after },
    });
  });
}
