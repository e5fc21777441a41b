/** Services available to a step. */

import type { CommandMessage, OfferedSoftware } from '@deviceportal/device-protocol/messages';
import type { JournalDraft } from '@deviceportal/device-protocol/journal';
import type { DocumentStep, SsmDocument } from '@deviceportal/contract/ssm-document';
import type { CollectedFile, Machine } from '../machine/machine.ts';
import type { OutputStream } from '../store/agent-state.ts';
import type { StepPhase } from '@deviceportal/contract/document-phases';
import type { BoundParameters } from './bind-parameters.ts';
import type { StepResult } from './run-document.ts';

export interface StepToRun {
  readonly context: StepContext;
  readonly document: SsmDocument;
  readonly step: DocumentStep;
}

export interface StepContext {
  readonly machine: Machine;
  readonly command: CommandMessage;
  readonly values: BoundParameters;
  /** Files of versions that the portal offers for this command, with absolute URLs. */
  readonly software: readonly OfferedSoftware[];
  readonly environment: Readonly<Record<string, string>>;
  /** Position in the outermost document. Steps of inner documents have separate numbers. */
  readonly stepIndex: number;
  readonly phase: StepPhase;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Start of this attempt, also if it was started before a restart of the agent. */
  readonly startedAtMs: number;
  /** Whether this attempt was started before a restart of the agent, and may have finished. */
  readonly isRepeated: boolean;
  readonly resumeFrom: Readonly<Record<OutputStream, number>> | null;
  output(stream: OutputStream, text: string, consumedBytes?: number): void;
  journal(draft: JournalDraft): void;
  /** Uploads a collected file and journals it. Rejects with a readable reason. */
  upload(file: CollectedFile): Promise<void>;
  /** Runs a step of an inner document. */
  runStep(run: StepToRun): Promise<StepResult>;
  /** Requests a restart of the agent after the command has finished. */
  restartAgent(): void;
}

export const success: StepResult = { state: 'Success', exitCode: 0, reason: null };

export const failure = (reason: string, exitCode: number | null = null): StepResult => ({
  state: 'Failed',
  exitCode,
  reason: reason.slice(0, 1_000),
});

/** The result of a step that was interrupted from outside. */
export function interrupted(signal: AbortSignal): StepResult {
  const timedOut = signal.reason === 'timed-out' || signal.reason === 'step-timed-out';
  return timedOut
    ? { state: 'TimedOut', exitCode: null, reason: 'timed out' }
    : { state: 'Cancelled', exitCode: null, reason: 'cancelled' };
}
