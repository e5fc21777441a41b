import type { CommandDefinition } from '@deviceportal/contract/commands';

/** In the order in which they are shown: from looking to erasing, then what is free. */
const commandGroups = ['diagnose', 'fix', 'change', 'reset', 'free'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface GroupedCommands {
  readonly group: CommandGroup | 'favourites';
  readonly commands: readonly CommandDefinition[];
}

/** The catalogue by group, favourites first; empty groups are left out. A favourite is not repeated below. */
export function groupCommands(commands: readonly CommandDefinition[]): readonly GroupedCommands[] {
  const favourites = commands.filter((command) => command.favourite);
  const rest = commands.filter((command) => !command.favourite);
  const groups: GroupedCommands[] = [
    { group: 'favourites', commands: favourites },
    ...commandGroups.map((group) => ({
      group,
      commands: rest.filter((command) => command.group === group),
    })),
  ];
  return groups.filter((group) => group.commands.length > 0);
}
