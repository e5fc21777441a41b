/** The interface between the agent and its machine, implemented for real and simulated machines. */

import type { MetricValues } from '@deviceportal/contract/device-metrics';
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
  /** The invocation whose undo data is kept (`$DEVICEPORTAL_UNDO`); null for none. */
  readonly undoNotesOf: string | null;
  readonly attempt: number;
  readonly shell: 'sh' | 'pwsh';
  readonly script: string;
  /** Relative to the command's directory; null for that directory. */
  readonly workingDirectory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Set if the agent ended while this step was running: adopt its process, with its output from
   * these bytes.
   */
  readonly resumeFrom: Readonly<Record<OutputStream, number>> | null;
  /** `consumedBytes`: position in the stream after this text. */
  readonly onOutput: (stream: OutputStream, text: string, consumedBytes: number) => void;
  /** Terminates the process group, and kills it 5 s later. */
  readonly signal: AbortSignal;
}

/** A file that a step wrote to `$DEVICEPORTAL_ARTEFACTS`. */
export interface CollectedFile {
  readonly name: string;
  content(): Promise<Blob>;
}

export interface ShellOutcome {
  /** Null if the process was killed or its result is unknown. */
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
  /** Relative to the command's directory. */
  readonly destination: string;
  readonly signal: AbortSignal;
}

export interface PackageRequest {
  readonly invocationId: string;
  /** The invocation whose previous version is kept for an undo; null for none. */
  readonly undoNotesOf: string | null;
  /** Restores that version, unless one is specified. */
  readonly isUndo: boolean;
  readonly stepIndex: number;
  /** Whether the request was started before a restart of the agent, and may have finished. */
  readonly isRepeated: boolean;
  readonly name: string;
  readonly version: string | null;
  readonly action: 'Install' | 'Uninstall' | 'Rollback';
  /** URL of the artifact; null for a version that is still on the device. */
  readonly source: string | null;
  readonly sha256: string | null;
  /**
   * The version's file in the portal, used if there is no source and the version is not on the
   * device.
   */
  readonly offered: { readonly url: string; readonly sha256: string } | null;
  readonly signal: AbortSignal;
}

export interface Machine {
  readonly platformType: PlatformType;
  /** Whether processes outlive the agent and can be adopted after its restart. */
  readonly keepsProcesses: boolean;
  inventory(): Promise<InventoryFacts>;
  /** Components with approved versions. */
  software(): Promise<readonly SoftwareComponent[]>;
  /** All packages installed by the package manager. */
  packages(): Promise<readonly InstalledPackage[]>;
  selfCheck(): Promise<SelfCheck>;
  /** What can be measured now; rates since the call before. */
  measure(): Promise<MetricValues>;
  runShell(job: ShellJob): Promise<ShellOutcome>;
  /**
   * Downloads a file and checks its hash. Resolves with its size. Rejects with a readable reason.
   */
  download(request: DownloadRequest): Promise<number>;
  /** Reads a text file in the command's directory. */
  readText(invocationId: string, path: string): Promise<string>;
  /** Resolves with one line of output. Rejects with a readable reason. */
  configurePackage(request: PackageRequest): Promise<string>;
  /** Restarts the machine soon; rejects if that is not permitted. */
  reboot(): Promise<void>;
  /** Called when a command has finished and its directory can be deleted. */
  forget(invocationId: string): Promise<void>;
  /** Detaches from running processes without ending them. */
  detach(): void;
}
