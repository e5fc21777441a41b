/**
 * Runs one command on this device, from its first journal entry to its result. The data needed to
 * resume after a kill is saved before each action.
 */

import {
  ssmDocumentSchema,
  type DocumentStep,
  type SsmDocument,
  type StepAction,
} from '@deviceportal/contract/ssm-document';
import { phaseAt, type StepPhase } from '@deviceportal/contract/document-phases';
import type { CommandMessage } from '@deviceportal/device-protocol/messages';
import { bindParameters, type BoundParameters } from '../document/bind-parameters.ts';
import {
  runDocument,
  type DocumentResult,
  type StepReport,
  type StepResult,
} from '../document/run-document.ts';
import { runStep } from '../document/run-step.ts';
import type { StepContext } from '../document/step-context.ts';
import { parameterEnvironment } from '../document/substitute-parameters.ts';
import { reasonOf } from '../logger.ts';
import type { Machine } from '../machine/machine.ts';
import type { ActiveCommand } from '../store/agent-state.ts';
import type { AgentStore } from '../store/agent-store.ts';
import { InvocationOutput } from './invocation-output.ts';
import type { Journal } from './journal.ts';
import { uploadFile } from './upload-file.ts';

/** Steps that end sooner are reported once. */
const QUIET_STEP_MS = 60;
const MAX_RESTARTS = 3;
/**
 * Actions that can be started again after a kill of the agent, because they detect completed work.
 */
const REPEATABLE: ReadonlySet<StepAction> = new Set<StepAction>([
  'aws:downloadContent',
  'aws:configurePackage',
  'aws:softwareInventory',
  'aws:updateAgent',
]);
const RESTARTED = 'agent restarted during the command';

export interface InvocationOptions {
  readonly store: AgentStore;
  readonly journal: Journal;
  readonly machine: Machine;
  readonly now: () => number;
  readonly fetch: typeof fetch;
  readonly serverUrl: () => string;
  readonly deviceId: () => string;
  readonly restartAgent: () => void;
}

export class Invocation {
  readonly #options: InvocationOptions;
  readonly #command: ActiveCommand;
  readonly #message: CommandMessage;
  readonly #abort = new AbortController();
  readonly #resumed: boolean;
  readonly #output: InvocationOutput;
  #newsAtMs: number;

  constructor(options: InvocationOptions, command: ActiveCommand, message: CommandMessage) {
    this.#options = options;
    this.#command = command;
    this.#message = message;
    this.#resumed = command.begun !== null;
    this.#output = new InvocationOutput(options.journal, command);
    this.#newsAtMs = options.now();
  }

  /** Time of the last activity. */
  get newsAtMs(): number {
    return this.#newsAtMs;
  }

  cancel(): void {
    this.#abort.abort('cancelled');
  }

  /**
   * Runs the document and journals the result; 'Restart' if the machine restarts and the command
   * continues afterwards.
   */
  async run(): Promise<DocumentResult['state']> {
    if (!this.#command.reportedStart) {
      const { invocationId } = this.#message;
      this.#options.journal.append(
        { kind: 'invocation-started', invocationId },
        { isSoonFollowed: true },
      );
    }
    const leftMs =
      this.#command.startedAtMs +
      this.#message.executionTimeoutSeconds * 1_000 -
      this.#options.now();
    // A limit beyond the maximum of a timer (2^31 ms) cannot be reached in this process.
    const timer =
      leftMs < 2 ** 31 ? setTimeout(() => this.#abort.abort('timed-out'), leftMs) : undefined;
    if (this.#command.cancelled) this.cancel();
    try {
      const result = await this.#interpret();
      if (result.state !== 'Restart') this.#finish(result.state, result);
      return result.state;
    } finally {
      clearTimeout(timer);
    }
  }

  async #interpret(): Promise<DocumentResult> {
    const parsed = ssmDocumentSchema.safeParse(this.#message.content);
    if (!parsed.success) return this.#refuse(`the document is not valid: ${parsed.error.message}`);
    const { values, issues } = bindParameters(parsed.data, this.#message.parameters);
    if (issues.length > 0) {
      const lines = issues.map((issue) => `parameter ${issue.path.join('.')} ${issue.message}`);
      return this.#refuse(lines.join('\n'));
    }
    const result = await runDocument({
      document: parsed.data,
      phases: this.#message.phases,
      values,
      platformType: this.#options.machine.platformType,
      takenUp: this.#resumed ? (this.#command.begun?.index ?? null) : null,
      ended: this.#command.ended,
      signal: this.#abort.signal,
      now: this.#options.now,
      runStep: (step, index, attempt) =>
        this.#runStep(parsed.data, values, { step, index, attempt }),
      report: this.#stepReporter(),
    });
    return result;
  }

  async #runStep(
    document: SsmDocument,
    values: BoundParameters,
    place: { step: DocumentStep; index: number; attempt: number },
  ): Promise<StepResult> {
    const { store, machine } = this.#options;
    const { begun } = this.#command;
    const resuming = this.#resumed && begun?.index === place.index;
    if (resuming && begun.attempt > place.attempt) return failedBefore;
    const takesUp = resuming && begun.attempt === place.attempt;
    const isScript =
      place.step.action === 'aws:runShellScript' || place.step.action === 'aws:runPowerShellScript';
    const goesOn = isScript || REPEATABLE.has(place.step.action);
    if (takesUp && !(goesOn && machine.keepsProcesses)) return lostStep;
    const startedAtMs = takesUp ? begun.startedAtMs : this.#options.now();
    if (!takesUp) {
      const step = { index: place.index, attempt: place.attempt, startedAtMs };
      store.record({ t: 'begin', id: this.#message.invocationId, step });
      // A process can outlive the agent, so its start must be saved before it starts.
      if (machine.keepsProcesses) await store.durable().catch(() => {});
    }
    const context: StepContext = {
      ...this.#contextBase(values),
      stepIndex: place.index,
      phase: this.#phaseOf(document, place.index),
      attempt: place.attempt,
      startedAtMs,
      isRepeated: takesUp,
      resumeFrom: takesUp && isScript ? { ...this.#command.consumed } : null,
    };
    const result = await runStep({ context, document, step: place.step });
    return result.state === 'Restart' ? this.#restartMachine() : result;
  }

  #contextBase(
    values: BoundParameters,
  ): Omit<
    StepContext,
    'stepIndex' | 'phase' | 'attempt' | 'startedAtMs' | 'isRepeated' | 'resumeFrom'
  > {
    const { machine, now, deviceId, restartAgent } = this.#options;
    return {
      machine,
      now,
      runStep,
      restartAgent,
      command: this.#message,
      software: (this.#message.software ?? []).map((offered) => ({
        ...offered,
        url: new URL(offered.url, this.#options.serverUrl()).href,
      })),
      values,
      environment: {
        ...parameterEnvironment(values),
        DEVICEPORTAL_INVOCATION_ID: this.#message.invocationId,
        DEVICEPORTAL_DEVICE_ID: deviceId(),
      },
      signal: this.#abort.signal,
      output: (stream, text, consumedBytes) => {
        this.#newsAtMs = now();
        this.#output.write(stream, text, consumedBytes);
      },
      journal: (draft) => this.#options.journal.append(draft),
      upload: async (file) => {
        const { fetch: send, serverUrl, journal } = this.#options;
        const order = {
          file,
          message: this.#message,
          serverUrl: serverUrl(),
          signal: this.#abort.signal,
        };
        journal.append(await uploadFile(order, send));
      },
    };
  }

  #phaseOf({ mainSteps }: SsmDocument, index: number): StepPhase {
    const { phases, isUndo } = this.#message;
    return isUndo ? 'undo' : phaseAt(index, mainSteps.length, phases);
  }

  /** Exit code 194: restart the machine, then run the step again. */
  async #restartMachine(): Promise<StepResult> {
    const { store, journal, machine } = this.#options;
    if (this.#command.restarts >= MAX_RESTARTS) {
      return {
        state: 'Failed',
        exitCode: 194,
        reason: `requested more than ${MAX_RESTARTS} restarts`,
      };
    }
    // Saved so that the command continues after the restart, also on a machine without persistent
    // processes.
    const message = this.#command.message === null ? { message: this.#message } : {};
    store.record({ t: 'restart', id: this.#message.invocationId, ...message });
    journal.append({
      kind: 'event',
      type: 'device-restarting',
      data: { invocationId: this.#message.invocationId },
    });
    await store.durable().catch(() => {});
    try {
      await machine.reboot();
      return { state: 'Restart', exitCode: 194, reason: null };
    } catch (error) {
      return { state: 'Failed', exitCode: 194, reason: `no restart: ${reasonOf(error)}` };
    }
  }

  /** Reports `InProgress` only for long steps. Quick steps are reported once, when they end. */
  #stepReporter(): (report: StepReport) => void {
    let waiting: NodeJS.Timeout | undefined;
    return (report) => {
      clearTimeout(waiting);
      if (report.state === 'InProgress') {
        waiting = setTimeout(() => this.#journalStep(report), QUIET_STEP_MS);
      } else this.#journalStep(report);
    };
  }

  #journalStep(report: StepReport): void {
    this.#newsAtMs = this.#options.now();
    const isOver = report.state !== 'InProgress' && report.state !== 'Skipped';
    this.#options.journal.append({
      kind: 'invocation-step',
      invocationId: this.#message.invocationId,
      index: report.index,
      name: report.step.name,
      action: report.step.action,
      state: report.state,
      exitCode: report.exitCode,
      startedAt: report.startedAtMs === null ? null : iso(report.startedAtMs),
      endedAt: isOver ? iso(this.#options.now()) : null,
      reason: report.reason,
    });
  }

  #refuse(reason: string): DocumentResult {
    this.#output.write('stderr', `${reason}\n`);
    return { state: 'Failed', statusDetails: 'Failed', responseCode: -1 };
  }

  #finish(
    state: Exclude<DocumentResult['state'], 'Restart'>,
    { statusDetails, responseCode }: DocumentResult,
  ): void {
    this.#options.journal.append(
      {
        kind: 'invocation-result',
        invocationId: this.#message.invocationId,
        state,
        statusDetails,
        responseCode,
        startedAt: iso(this.#command.startedAtMs),
        endedAt: iso(this.#options.now()),
        outputTruncated: this.#output.wasCut,
      },
      { urgencyMs: 0 },
    );
  }
}

const lostStep: StepResult = { state: 'Failed', exitCode: null, reason: RESTARTED };
const failedBefore: StepResult = { state: 'Failed', exitCode: null, reason: null };
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
