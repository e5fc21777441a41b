import type { JournalEntry } from '@deviceportal/device-protocol/journal';
import { phaseAt, type PhaseCounts } from '@deviceportal/contract/document-phases';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import type { StatusDetails, StepState } from '@deviceportal/contract/states';
import type { InvocationEntry } from '../commands/execution/fold-invocation-entries.ts';
import type { SsmInvocation, SsmStep } from '../platform/aws/run-command.ts';

type ResultDetails = Extract<JournalEntry, { kind: 'invocation-result' }>['statusDetails'];

/** How an invocation ended: as the device reported, or because Systems Manager gave up. */
export type SsmEnd =
  | { readonly by: 'device'; readonly statusDetails: ResultDetails }
  | {
      readonly by: 'service';
      readonly statusDetails: Extract<
        StatusDetails,
        'Delivery Timed Out' | 'Undeliverable' | 'Terminated' | 'Rate Exceeded' | 'Incomplete'
      >;
    };

const byDevice = (statusDetails: ResultDetails): SsmEnd => ({ by: 'device', statusDetails });
const byService = (statusDetails: Extract<SsmEnd, { by: 'service' }>['statusDetails']): SsmEnd => ({
  by: 'service',
  statusDetails,
});

/** Status details in lower case without spaces, which the API and its events write differently. */
const ends: ReadonlyMap<string, SsmEnd> = new Map([
  ['success', byDevice('Success')],
  ['failed', byDevice('Failed')],
  ['cancelled', byDevice('Cancelled')],
  ['canceled', byDevice('Cancelled')],
  ['timedout', byDevice('Execution Timed Out')],
  ['executiontimedout', byDevice('Execution Timed Out')],
  ['deliverytimedout', byService('Delivery Timed Out')],
  ['invalidplatform', byDevice('Invalid Platform')],
  ['accessdenied', byDevice('Access Denied')],
  ['undeliverable', byService('Undeliverable')],
  ['terminated', byService('Terminated')],
  ['rateexceeded', byService('Rate Exceeded')],
  ['incomplete', byService('Incomplete')],
]);
const open: ReadonlySet<string> = new Set(['pending', 'inprogress', 'delayed', 'cancelling']);

const keyOf = (text: string): string => text.replaceAll(/[\s_-]/g, '').toLowerCase();

/** Null while it has not ended. Details that are not known here count as their status. */
export function endOf({
  status,
  statusDetails,
}: Pick<SsmInvocation, 'status' | 'statusDetails'>): SsmEnd | null {
  const details = keyOf(statusDetails);
  if (open.has(keyOf(status)) && !ends.has(details)) return null;
  return ends.get(details) ?? ends.get(keyOf(status)) ?? null;
}

/** Whether the instance has received the command. */
export const hasBegun = ({ status }: Pick<SsmInvocation, 'status'>): boolean =>
  ['inprogress', 'cancelling'].includes(keyOf(status));

/** The run of which an invocation is a part. */
export interface TranslatedRun {
  /** Those that Systems Manager executes, in order. */
  readonly steps: readonly Pick<DocumentStep, 'name' | 'action'>[];
  readonly phases: PhaseCounts;
}

export interface ReadText {
  readonly stdout: string;
  readonly stderr: string;
}

const OUTPUT_PIECE = 32_768;
/** What the journal numbers and Systems Manager does not. */
const first = { seq: 1 } as const;

export function startedEntry(invocationId: string, at: Date): InvocationEntry {
  return { ...first, at: at.toISOString(), kind: 'invocation-started', invocationId };
}

/**
 * The journal entries that our agent would have written for an ended invocation: its steps, output, and result.
 *
 * @param statusDetails as reported; the phase of the failed step is added
 */
export function endedEntries(
  invocationId: string,
  {
    statusDetails,
    steps,
    output,
  }: {
    readonly statusDetails: ResultDetails;
    readonly steps: readonly SsmStep[];
    readonly output: ReadText;
  },
  { run, now }: { readonly run: TranslatedRun; readonly now: Date },
): InvocationEntry[] {
  const at = now.toISOString();
  const begin = earliest(steps.map(({ startedAt }) => startedAt)) ?? now;
  const end = latest(steps.map(({ endedAt }) => endedAt)) ?? now;
  const known = steps.flatMap((step) => {
    const index = run.steps.findIndex(({ name }) => name === step.name);
    return index < 0 ? [] : [{ step, index, action: run.steps[index]?.action ?? '' }];
  });
  const failed = known.find(({ step }) => stepStateOf(step) !== 'Success');
  const details = statusDetails === 'Failed' ? detailsOfPhase(failed?.index, run) : statusDetails;
  return [
    { ...first, at: begin.toISOString(), kind: 'invocation-started', invocationId },
    ...known.map(({ step, index, action }): InvocationEntry => ({
      ...{ ...first, at, kind: 'invocation-step', invocationId, index, action },
      ...{ name: step.name, state: stepStateOf(step), exitCode: step.responseCode },
      startedAt: step.startedAt?.toISOString() ?? null,
      endedAt: step.endedAt?.toISOString() ?? null,
      reason: null,
    })),
    ...piecesOf(output.stdout).map((piece): InvocationEntry => ({
      ...{ ...first, at, kind: 'invocation-output', invocationId, stream: 'stdout', ...piece },
    })),
    ...piecesOf(output.stderr).map((piece): InvocationEntry => ({
      ...{ ...first, at, kind: 'invocation-output', invocationId, stream: 'stderr', ...piece },
    })),
    {
      ...{ ...first, at, kind: 'invocation-result', invocationId },
      state: stateOf(details),
      statusDetails: details,
      responseCode: details === 'Success' ? 0 : (failed?.step.responseCode ?? -1),
      startedAt: begin.toISOString(),
      endedAt: end.toISOString(),
      outputTruncated: false,
    },
  ];
}

function detailsOfPhase(
  index: number | undefined,
  { steps, phases }: TranslatedRun,
): ResultDetails {
  if (index === undefined) return 'Failed';
  const phase = phaseAt(index, steps.length, phases);
  if (phase === 'preCheck') return 'Pre-check Failed';
  return phase === 'verify' ? 'Verify Failed' : 'Failed';
}

function stateOf(details: ResultDetails): 'Success' | 'Failed' | 'TimedOut' | 'Cancelled' {
  if (details === 'Success' || details === 'Cancelled') return details;
  return details === 'Execution Timed Out' ? 'TimedOut' : 'Failed';
}

const stepStates: readonly StepState[] = [
  ...(['Pending', 'InProgress', 'Success', 'Failed', 'TimedOut', 'Cancelled'] as const),
];

const stepStateOf = ({ status }: SsmStep): StepState =>
  stepStates.find((state) => state === status) ?? 'Failed';

/** Pieces end between characters. */
function piecesOf(text: string): { readonly offset: number; readonly text: string }[] {
  const pieces: { offset: number; text: string }[] = [];
  for (let offset = 0; offset < text.length;) {
    const end = offset + OUTPUT_PIECE;
    const isWithin = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const piece = text.slice(offset, isWithin ? end - 1 : end);
    pieces.push({ offset, text: piece.toWellFormed() });
    offset += piece.length;
  }
  return pieces;
}

const earliest = (dates: readonly (Date | undefined)[]): Date | undefined =>
  extreme(dates, Math.min);
const latest = (dates: readonly (Date | undefined)[]): Date | undefined => extreme(dates, Math.max);

function extreme(
  dates: readonly (Date | undefined)[],
  choose: (...times: number[]) => number,
): Date | undefined {
  const times = dates.flatMap((date) => (date === undefined ? [] : [date.getTime()]));
  return times.length === 0 ? undefined : new Date(choose(...times));
}
