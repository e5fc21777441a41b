import type { CommandsDeps } from '../commands/commands-deps.ts';

export type CasesDeps = Pick<CommandsDeps, 'database' | 'changes' | 'clock' | 'vault'>;
