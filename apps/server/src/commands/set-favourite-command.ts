import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import type { Viewer } from '../platform/viewer.ts';
import { findCommand } from './command-definition-store.ts';
import type { CommandsDeps } from './commands-deps.ts';

/** @throws PortalError 4002 for a command that is not in the catalogue */
export async function setFavouriteCommand(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  input: { readonly command: string; readonly favourite: boolean },
): Promise<void> {
  if ((await findCommand(database.orm, input.command)) === undefined) {
    throw new PortalError('commandNotFound', { facts: { command: input.command } });
  }
  // One statement, so that two tabs cannot undo each other.
  await database.orm.execute(sql`
    update portal_user set preferences = preferences || jsonb_build_object('favouriteCommands',
      (coalesce(preferences->'favouriteCommands', '[]'::jsonb) - ${input.command}::text)
      || case when ${input.favourite} then to_jsonb(array[${input.command}::text]) else '[]'::jsonb end)
    where id = ${viewer.userId}`);
}
