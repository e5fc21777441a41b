import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { Viewer } from '../../platform/viewer.ts';
import { findCommands } from '../data/command-definition-queries.ts';
import { viewCommandDefinition } from './command-definition-view.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findFavoriteCommands } from './favorite-commands.ts';

/** The whole catalog. Entries that the viewer cannot run contain the missing permission. */
export async function listCommands(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
): Promise<readonly CommandDefinition[]> {
  const [stored, favorites] = await Promise.all([
    findCommands(database.orm),
    findFavoriteCommands(database.orm, viewer.userId),
  ]);
  return stored.map((command) => viewCommandDefinition(command, viewer, favorites));
}
