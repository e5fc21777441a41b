/**
 * What an agent needs from the machine it runs on. The core knows nothing else: the same core runs over a
 * real machine and over a simulated one.
 */

import type { JournalDraft } from '@deviceportal/device-protocol/journal';
import type { HeartbeatMessage } from '@deviceportal/device-protocol/messages';
import type { StepPhase } from '@deviceportal/contract/document-phases';
import type { ParameterValue } from '@deviceportal/contract/ssm-document';
import type { OutputStream } from '../store/agent-state.ts';

export type InventoryFacts = Omit<Extract<JournalDraft, { kind: 'inventory' }>, 'kind'>;
export type SoftwareComponent = Extract<JournalDraft, { kind: 'software' }>['components'][number];
export type InstalledPackage = Extract<JournalDraft, { kind: 'packages' }>['packages'][number];
export type SelfCheck = Omit<HeartbeatMessage, 'instanceId' | 'at'>;
export type PlatformType = InventoryFacts['platformType'];

export interface ShellJob {
  readonly invocationId: string;
  readonly documentName: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly stepIndex: number;
  readonly phase: StepPhase;
  /** The invocation under which what an undo needs is kept (`$DEVICEPORTAL_UNDO`); null where nothing is. */
  readonly undoNotesOf: string | null;
  readonly attempt: number;
  readonly shell: 'sh' | 'pwsh';
  readonly script: string;
  /** Relative to the command's own directory; null is that directory. */
  readonly workingDirectory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /** The agent died while this step ran: take up its process, and its output from these bytes on. */
  readonly resumeFrom: Readonly<Record<OutputStream, number>> | null;
  /** `consumedBytes`: how far into the stream this text reaches. */
  readonly onOutput: (stream: OutputStream, text: string, consumedBytes: number) => void;
  /** Asks the process group to end, and kills it 5 s later. */
  readonly signal: AbortSignal;
}

/** A file that a step left in `$DEVICEPORTAL_ARTEFACTS`. */
export interface CollectedFile {
  readonly name: string;
  content(): Promise<Blob>;
}

export interface ShellOutcome {
  /** Null where the process was killed or where nobody knows any more how it ended. */
  readonly exitCode: number | null;
  /** Why there is no exit code. */
  readonly lost: string | null;
  /** JSON lines that the step wrote to `$DEVICEPORTAL_REPORT`. */
  readonly reports: readonly unknown[];
  readonly files: readonly CollectedFile[];
}

export interface DownloadRequest {
  readonly invocationId: string;
  readonly url: string;
  readonly sha256: string | null;
  /** Relative to the command's own directory. */
  readonly destination: string;
  readonly signal: AbortSignal;
}

export interface PackageRequest {
  readonly invocationId: string;
  /** The invocation under which the version before is kept for an undo; null where nothing is. */
  readonly undoNotesOf: string | null;
  /** Goes back to that version, where none is named. */
  readonly isUndo: boolean;
  readonly stepIndex: number;
  /** An earlier life of the agent began the same request and may have ended it. */
  readonly isRepeated: boolean;
  readonly name: string;
  readonly version: string | null;
  readonly action: 'Install' | 'Uninstall' | 'Rollback';
  /** Where the artefact is; null: a version that is still on the device. */
  readonly source: string | null;
  readonly sha256: string | null;
  /** What the portal offers for the version; taken where there is no source and the version is not on the device. */
  readonly offered: { readonly url: string; readonly sha256: string } | null;
  readonly signal: AbortSignal;
}

export interface Machine {
  readonly platformType: PlatformType;
  /** Whether processes outlive the agent, so that a restarted one can take them up. */
  readonly keepsProcesses: boolean;
  inventory(): Promise<InventoryFacts>;
  /** The components whose versions are approved and compared. */
  software(): Promise<readonly SoftwareComponent[]>;
  /** Everything that the package manager has installed. */
  packages(): Promise<readonly InstalledPackage[]>;
  selfCheck(): Promise<SelfCheck>;
  runShell(job: ShellJob): Promise<ShellOutcome>;
  /** Fetches a file and checks its hash; resolves with its size. Rejects with a reason for a person. */
  download(request: DownloadRequest): Promise<number>;
  /** The text of a file in the command's own directory. */
  readText(invocationId: string, path: string): Promise<string>;
  /** Resolves with one line for the output. Rejects with a reason for a person. */
  configurePackage(request: PackageRequest): Promise<string>;
  /** Restarts the machine soon; rejects where that is not allowed. */
  reboot(): Promise<void>;
  /** The command has ended: its directory may go. */
  forget(invocationId: string): Promise<void>;
  /** Lets go of running processes without ending them. */
  detach(): void;
}
