import type { RunRow } from '@deviceportal/contract/commands';
import { commandHref } from './command-href.ts';

/** Where a run's result is. */
export function runHref(run: RunRow): string {
  return run.invocationId === null
    ? commandHref(run.command, { run: run.id })
    : commandHref(run.command, {
        device: run.deviceId ?? undefined,
        document: `${run.documentName}:${run.documentVersion}`,
        invocation: run.invocationId,
      });
}
