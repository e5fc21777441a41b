import type { RunRow } from '@deviceportal/contract/runs';
import { commandHref } from '../command-href.ts';

/**
 * The link to the result of a run. The command that runs any document needs the document in the
 * link.
 */
export function runHref(run: RunRow): string {
  return run.invocationId === null
    ? commandHref(run.command, {
        document: run.command === 'document' ? documentOf(run) : undefined,
        run: run.id,
      })
    : commandHref(run.command, {
        device: run.deviceId ?? undefined,
        document: documentOf(run),
        invocation: run.invocationId,
      });
}

/** `name:version`. */
export const documentOf = (run: Pick<RunRow, 'documentName' | 'documentVersion'>): string =>
  `${run.documentName}:${run.documentVersion}`;
