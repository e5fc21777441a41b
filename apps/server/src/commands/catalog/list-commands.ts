import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { Viewer } from '../../platform/viewer.ts';
import { findCommands } from '../data/command-definition-queries.ts';
import { viewCommandDefinition } from './command-definition-view.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findFavouriteCommands } from './favorite-commands.ts';

/** The whole catalogue; what the viewer may not run says which permission is missing. */
export async function listCommands(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
): Promise<readonly CommandDefinition[]> {
  const [stored, favourites] = await Promise.all([
    findCommands(database.orm),
    findFavouriteCommands(database.orm, viewer.userId),
  ]);
  return stored.map((command) => viewCommandDefinition(command, viewer, favourites));
}
