import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { isFinal } from '@deviceportal/contract/states';
import type { ApiClient } from '../api/api-client.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';

export type Run = OperationOutput<'getRun'>;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Reads a run until it has ended or the time is over; a lost connection is no end. */
export async function waitForRun(
  api: ApiClient,
  id: string,
  {
    waitSeconds,
    onChange,
  }: { readonly waitSeconds: number | undefined; readonly onChange: (run: Run) => void },
): Promise<Run | undefined> {
  const endsAt =
    waitSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + waitSeconds * 1_000;
  let pauseMs = FIRST_PAUSE_MS;
  let shown = '';
  let last: Run | undefined;
  for (;;) {
    const run = await api.call('getRun', { params: { run: id } }).catch((error: unknown) => {
      if (
        error instanceof CliError &&
        error.exitCode === exitCodes.unavailable &&
        last !== undefined
      ) {
        return undefined;
      }
      throw error;
    });
    if (run !== undefined) {
      last = run;
      const summary = JSON.stringify([run.state, run.devices]);
      if (summary !== shown) onChange(run);
      shown = summary;
      if (isFinal(run.state)) return run;
    }
    const leftMs = endsAt - Date.now();
    if (leftMs <= 0) return last;
    await sleep(Math.min(pauseMs, leftMs));
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
  }
}

/** The exit code for the outcome of a run. */
export function outcomeOf(run: Pick<Run, 'state'> | undefined): ExitCode {
  if (run === undefined || !isFinal(run.state)) return exitCodes.runNotEnded;
  if (run.state === 'Success') return exitCodes.ok;
  if (run.state === 'TimedOut') return exitCodes.runTimedOut;
  return run.state === 'Cancelled' ? exitCodes.runCanceled : exitCodes.runFailed;
}
