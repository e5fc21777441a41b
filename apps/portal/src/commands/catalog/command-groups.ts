import type { CommandDefinition } from '@deviceportal/contract/commands';

/** In display order, from read-only to destructive, then commands for any purpose. */
const commandGroups = ['diagnose', 'fix', 'change', 'reset', 'free'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface GroupedCommands {
  readonly group: CommandGroup | 'favorites';
  readonly commands: readonly CommandDefinition[];
}

/** The catalog by group. Favorites come first and are not repeated; empty groups are omitted. */
export function groupCommands(commands: readonly CommandDefinition[]): readonly GroupedCommands[] {
  const favorites = commands.filter((command) => command.favorite);
  const rest = commands.filter((command) => !command.favorite);
  const groups: GroupedCommands[] = [
    { group: 'favorites', commands: favorites },
    ...commandGroups.map((group) => ({
      group,
      commands: rest.filter((command) => command.group === group),
    })),
  ];
  return groups.filter((group) => group.commands.length > 0);
}
