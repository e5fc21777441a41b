import { randomUUID } from 'node:crypto';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { CommandsDeps } from '../apps/server/src/commands/commands-deps.ts';
import { runCommand } from '../apps/server/src/commands/run-command.ts';
import type { TargetAgreement } from '../apps/server/src/commands/target/target-agreement.ts';
import { administrator } from './support/administrator.ts';

/** Runs `process/top` on all devices of the target immediately. */
export function runProcessTop(
  deps: CommandsDeps,
  of: { readonly target: CommandTarget; readonly agreement: TargetAgreement },
): ReturnType<typeof runCommand> {
  return runCommand(deps, administrator, {
    command: 'process/top',
    document: '',
    ...of,
    parameters: {},
    maxConcurrency: '100%',
    maxErrors: '100%',
    timeoutSeconds: 3_600,
    comment: '',
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin: { requestId: 'bench', address: '127.0.0.1' },
  });
}
