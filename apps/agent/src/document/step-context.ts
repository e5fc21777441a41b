/** What a step may do, apart from its inputs. */

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
  /** Files of versions that the portal offers for this command, with whole addresses. */
  readonly software: readonly OfferedSoftware[];
  readonly environment: Readonly<Record<string, string>>;
  /** Position in the outermost document; steps of inner documents get numbers of their own. */
  readonly stepIndex: number;
  readonly phase: StepPhase;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Since when this attempt runs, also where an earlier life of the agent began it. */
  readonly startedAtMs: number;
  /** An earlier life of the agent began this attempt, and may have ended it. */
  readonly isRepeated: boolean;
  readonly resumeFrom: Readonly<Record<OutputStream, number>> | null;
  output(stream: OutputStream, text: string, consumedBytes?: number): void;
  journal(draft: JournalDraft): void;
  /** Sends a collected file to the server and journals it. Rejects with a reason for a person. */
  upload(file: CollectedFile): Promise<void>;
  /** Runs a step of an inner document. */
  runStep(run: StepToRun): Promise<StepResult>;
  /** Asks for a fresh start of the agent once the command has ended. */
  restartAgent(): void;
}

export const success: StepResult = { state: 'Success', exitCode: 0, reason: null };

export const failure = (reason: string, exitCode: number | null = null): StepResult => ({
  state: 'Failed',
  exitCode,
  reason: reason.slice(0, 1_000),
});

/** How a step ends that was interrupted from outside. */
export function interrupted(signal: AbortSignal): StepResult {
  const timedOut = signal.reason === 'timed-out' || signal.reason === 'step-timed-out';
  return timedOut
    ? { state: 'TimedOut', exitCode: null, reason: 'ran out of time' }
    : { state: 'Cancelled', exitCode: null, reason: 'cancelled' };
}
