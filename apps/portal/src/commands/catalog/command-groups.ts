import type { CommandDefinition } from '@deviceportal/contract/commands';

/** In the order in which they are shown: from looking to erasing, then what is free. */
const commandGroups = ['diagnose', 'fix', 'change', 'reset', 'free'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface GroupedCommands {
  readonly group: CommandGroup | 'favorites';
  readonly commands: readonly CommandDefinition[];
}

/** The catalog by group, favorites first; empty groups are left out. A favorite is not repeated below. */
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
