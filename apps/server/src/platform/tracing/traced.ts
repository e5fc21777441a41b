import { tracingChannel } from 'node:diagnostics_channel';
import type { TracedWork, WorkChannel } from './telemetry-package.ts';

export const workChannel = tracingChannel<string, TracedWork>(
  'deviceportal:work' satisfies WorkChannel,
);

/** Runs work of which traces show start, end, and result. Without an exporter, it only runs it. */
export function traced<Result>(work: TracedWork, run: () => Promise<Result>): Promise<Result> {
  return workChannel.hasSubscribers ? workChannel.tracePromise(run, work) : run();
}
