import type { InstallationSetup } from '@deviceportal/contract/installation';

export interface SetupStep {
  readonly id: 'device' | 'users' | 'roles' | 'command' | 'operation';
  readonly isDone: boolean;
  /** The page on which it is done. */
  readonly href: string;
  /** The name of a guide. */
  readonly guide: string;
}

/** The five steps from an empty installation to one that a team can use. */
export const setupSteps = (setup: InstallationSetup): readonly SetupStep[] => [
  { id: 'device', isDone: setup.device, href: '/devices', guide: 'adding-devices' },
  { id: 'users', isDone: setup.users, href: '/uam/users', guide: 'access' },
  { id: 'roles', isDone: setup.roles, href: '/uam/roles', guide: 'access' },
  { id: 'command', isDone: setup.command, href: '/commands', guide: 'changing-many-devices' },
  {
    id: 'operation',
    isDone: setup.backups && setup.messages,
    href: '/uam/backups',
    guide: 'operating',
  },
];
