import {
  INVOCATION_OUTPUT_LIMIT_BYTES,
  OUTPUT_PREVIEW_CHARACTERS,
} from '@deviceportal/contract/constants';
import { isFinal, type InvocationState, type StatusDetails } from '@deviceportal/contract/states';
import { OUTPUT_CUT_MARK, type JournalEntry } from '@deviceportal/device-protocol/journal';
import { canFollow } from './run-state-machine.ts';

export type InvocationEntry = Extract<JournalEntry, { invocationId: string }>;

/** The fields of an invocation that its device can change. Times are ISO 8601. */
export interface InvocationProgress {
  readonly state: InvocationState;
  readonly statusDetails: StatusDetails;
  readonly responseCode: number | null;
  readonly sentAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly steps: readonly object[];
  readonly outputPreview: string;
  readonly stdoutLength: number;
  readonly stderrLength: number;
  /** Used part of the output limit. Counted separately, because offsets can overlap or leave gaps. */
  readonly outputStored: number;
  readonly outputTruncated: boolean;
}

export interface OutputPiece {
  readonly stream: 'stdout' | 'stderr';
  readonly offset: number;
  readonly text: string;
}

export interface CollectedArtifact {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface FoldedEntries {
  readonly progress: InvocationProgress;
  readonly output: readonly OutputPiece[];
  readonly artifacts: readonly CollectedArtifact[];
  readonly hasStarted: boolean;
  readonly hasFinished: boolean;
}

/** The agent truncates at the limit and appends a notice, which must still fit. */
const LIMIT = INVOCATION_OUTPUT_LIMIT_BYTES + 1_024;
/** Minimum counted size of a piece. A piece is a row, so many tiny ones take more space than their text. */
const LEAST_PER_PIECE = 64;

/**
 * Applies the entries of a device to one of its invocations. Pure. A final state never changes: later or repeated
 * entries have no effect.
 *
 * @param stepCount number of steps of the document; reports of further steps are ignored
 */
export function foldInvocationEntries(
  before: InvocationProgress,
  entries: readonly InvocationEntry[],
  now: Date,
  stepCount = Number.POSITIVE_INFINITY,
): FoldedEntries {
  const folding: Folding = {
    progress: before,
    stepCount,
    steps: new Map(),
    output: [],
    artifacts: [],
    hasStarted: false,
    hasFinished: false,
  };
  for (const entry of entries) {
    if (isFinal(folding.progress.state)) break;
    fold(folding, entry, now);
  }
  const { steps, stepCount: _bound, ...folded } = folding;
  return { ...folded, progress: withSteps(folded.progress, steps) };
}

type ReportedStep = Omit<
  Extract<InvocationEntry, { kind: 'invocation-step' }>,
  'seq' | 'at' | 'kind' | 'invocationId'
>;

interface Folding {
  progress: InvocationProgress;
  readonly stepCount: number;
  /** The latest report of each step, by index. */
  readonly steps: Map<number, ReportedStep>;
  readonly output: OutputPiece[];
  readonly artifacts: CollectedArtifact[];
  hasStarted: boolean;
  hasFinished: boolean;
}

function fold(folding: Folding, entry: InvocationEntry, now: Date): void {
  switch (entry.kind) {
    case 'invocation-started':
      start(folding, entry.at, now);
      return;
    case 'invocation-output':
      addOutput(folding, entry);
      return;
    case 'invocation-step':
      addStep(folding, entry);
      return;
    case 'invocation-artefact':
      folding.artifacts.push({ name: entry.name, bytes: entry.bytes, sha256: entry.sha256 });
      return;
    case 'invocation-result':
      finish(folding, entry, now);
  }
}

function start(folding: Folding, at: string, now: Date): void {
  const { progress } = folding;
  if (progress.startedAt !== null) return;
  const startedAt = within(at, progress.sentAt, now);
  const begins = progress.state === 'Pending' || progress.state === 'Delayed';
  folding.hasStarted = true;
  folding.progress = begins
    ? { ...progress, startedAt, state: 'InProgress', statusDetails: 'InProgress' }
    : { ...progress, startedAt };
}

function addOutput(
  folding: Folding,
  entry: Extract<InvocationEntry, { kind: 'invocation-output' }>,
): void {
  const { progress } = folding;
  const key = entry.stream === 'stdout' ? 'stdoutLength' : 'stderrLength';
  const room = LIMIT - progress.outputStored;
  if (progress.outputTruncated && room <= 0) return;
  // Output that starts after the limit is ignored.
  if (entry.offset > LIMIT) return;
  const isCut = Math.max(entry.text.length, LEAST_PER_PIECE) > room;
  const text = isCut ? entry.text.slice(0, Math.max(0, room)) + OUTPUT_CUT_MARK : entry.text;
  folding.output.push({ stream: entry.stream, offset: entry.offset, text });
  folding.progress = {
    ...progress,
    [key]: Math.max(progress[key], entry.offset + text.length),
    outputStored: progress.outputStored + Math.max(text.length, LEAST_PER_PIECE),
    outputTruncated: progress.outputTruncated || isCut,
    outputPreview: extendPreview(progress.outputPreview, text),
  };
}

/** Unmasked: secrets are masked when the preview is read. */
const extendPreview = (preview: string, text: string): string =>
  preview.length >= OUTPUT_PREVIEW_CHARACTERS
    ? preview
    : (preview + text).slice(0, OUTPUT_PREVIEW_CHARACTERS).toWellFormed();

function addStep(
  folding: Folding,
  entry: Extract<InvocationEntry, { kind: 'invocation-step' }>,
): void {
  const { index, name, action, state, exitCode, startedAt, endedAt, reason } = entry;
  if (index >= folding.stepCount) return;
  folding.steps.set(index, { index, name, action, state, exitCode, startedAt, endedAt, reason });
}

/** Sorted once per message, because sorting per report would be quadratic. */
function withSteps(
  progress: InvocationProgress,
  reported: ReadonlyMap<number, ReportedStep>,
): InvocationProgress {
  if (reported.size === 0) return progress;
  const known = progress.steps as readonly ReportedStep[];
  const merged = new Map([...known.map((step) => [step.index, step] as const), ...reported]);
  return { ...progress, steps: [...merged.values()].toSorted((a, b) => a.index - b.index) };
}

function finish(
  folding: Folding,
  entry: Extract<InvocationEntry, { kind: 'invocation-result' }>,
  now: Date,
): void {
  const { progress } = folding;
  if (!canFollow(progress.state, entry.state)) return;
  const startedAt = progress.startedAt ?? within(entry.startedAt, progress.sentAt, now);
  folding.hasFinished = true;
  folding.progress = {
    ...progress,
    state: entry.state,
    statusDetails: entry.statusDetails,
    // Windows reports exit codes as unsigned; converted to the signed 32-bit integer of the column.
    responseCode: entry.responseCode | 0,
    startedAt,
    endedAt: within(entry.endedAt, startedAt, now),
    outputTruncated: progress.outputTruncated || entry.outputTruncated,
  };
}

/** Device clocks can be wrong, so times are limited to between the previous time and now. */
function within(at: string, earliest: string | null, now: Date): string {
  const latestMs = now.getTime();
  const earliestMs = earliest === null ? Number.NEGATIVE_INFINITY : Date.parse(earliest);
  const atMs = Math.min(latestMs, Math.max(earliestMs, Date.parse(at)));
  // Most times are already valid and normalized, and formatting dates is the most expensive part of this function.
  const isWritten = at.length === ISO_LENGTH && at.endsWith('Z') && atMs === Date.parse(at);
  return isWritten ? at : new Date(atMs).toISOString();
}

const ISO_LENGTH = '2026-01-01T00:00:00.000Z'.length;
