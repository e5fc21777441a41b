import type { Command } from './history.ts';

/** Parameters of each command. */
export const parametersOf: Readonly<Record<Command, Readonly<Record<string, unknown>>>> = {
  'storage/usage': {},
  'restart/service': { service: 'player' },
  'config/set': { key: 'volume', value: '7' },
  shell: { script: 'true' },
  'factory-reset': {},
};
