/**
 * Tests a document on a temporary simulated device, with the interpreter of real devices. The
 * device has its own clock, so waiting takes no time.
 */

import { contentOfRun, phaseAt, type DocumentPhases } from '@deviceportal/contract/document-phases';
import type { DocumentTest, DocumentTestEvent } from '@deviceportal/contract/document-tests';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import { commandMessageSchema, type CommandMessage } from '@deviceportal/device-protocol/messages';
import { bindParameters } from '../document/bind-parameters.ts';
import { runDocument, type StepResult } from '../document/run-document.ts';
import { runStep } from '../document/run-step.ts';
import type { StepContext } from '../document/step-context.ts';
import { parameterEnvironment } from '../document/substitute-parameters.ts';
import type { ShellJob, ShellOutcome } from '../machine/machine.ts';
import { SimulatedMachine } from '../machine/simulated-machine.ts';
import { describeFleet, type DevicePlan, type FaultKind } from './describe-fleet.ts';
import { applyFault, mend, newHealth, type DeviceHealth } from './device-health.ts';
import { simulatedDocuments } from './simulated-documents.ts';
import { beyondSimulation } from './document-test-script.ts';
import { changesBetween } from './document-test-changes.ts';

export interface DocumentTestRequest {
  readonly documentName: string;
  readonly document: SsmDocument;
  readonly phases: DocumentPhases;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly storeValues: Readonly<Record<string, string>>;
  readonly documents: CommandMessage['documents'];
  readonly model: string;
  readonly fault: FaultKind | null;
  readonly undo: boolean;
}

const ID = '00000000-0000-4000-8000-000000000000';
const MAX_EVENTS = 2_000;
const MAX_RESTARTS = 3;
const RESTART_MS = 40_000;
const TIME_LIMIT_SECONDS = 3_600;

export async function testDocument(request: DocumentTestRequest): Promise<DocumentTest> {
  const run = new DocumentTestRun(request);
  await run.run(false);
  if (request.undo && request.phases.undo !== undefined) await run.run(true);
  return run.told();
}

/** Runs supported steps, treats all others as successful, and records which are which. */
class TestMachine extends SimulatedMachine {
  onScript: (job: ShellJob, beyond: string | null) => void = () => {};

  override runShell(job: ShellJob): Promise<ShellOutcome> {
    const name = job.documentName.replace(/^DevicePortal-/, '');
    const isKnown = (job.phase === 'main' ? name : `${name}/${job.phase}`) in simulatedDocuments;
    const beyond = isKnown ? null : beyondSimulation(job.script);
    this.onScript(job, beyond);
    if (beyond === null) return super.runShell(job);
    return Promise.resolve({ exitCode: 0, lost: null, reports: [], files: [] });
  }
}

class DocumentTestRun {
  readonly #request: DocumentTestRequest;
  readonly #events: DocumentTestEvent[] = [];
  readonly #health: DeviceHealth;
  readonly #before: DeviceHealth;
  readonly #machine: TestMachine;
  #nowMs = Date.now();
  readonly #startMs = this.#nowMs;
  #step = '';
  #truncated = false;

  constructor(request: DocumentTestRequest) {
    this.#request = request;
    const plan = planOf(request.model);
    this.#health = newHealth(plan);
    if (request.fault !== null) applyFault(this.#health, plan, request.fault);
    this.#before = structuredClone(this.#health);
    this.#machine = new TestMachine({
      plan,
      health: this.#health,
      timeScale: 1,
      instantResults: false,
      bootedAtMs: this.#nowMs - 7_200_000,
      onChange: (events) => {
        for (const { type } of events) this.#tell({ kind: 'event', type });
      },
      onReboot: () => this.#reboot(),
      sleep: (ms) => {
        this.#nowMs += ms;
        return Promise.resolve();
      },
    });
    this.#machine.onScript = (job, beyond) => {
      this.#tell({ kind: 'script', step: this.#step, text: job.script });
      if (beyond !== null) this.#tell({ kind: 'not-simulated', step: this.#step, what: beyond });
    };
  }

  told(): DocumentTest {
    const changes = changesBetween(this.#before, this.#health);
    return { events: this.#events, changes, truncated: this.#truncated };
  }

  async run(isUndo: boolean): Promise<void> {
    const { document, phases, parameters } = this.#request;
    const { content, counts } = contentOfRun(document, phases, isUndo);
    const message = this.#message(content, counts, isUndo);
    const { values, issues } = bindParameters({ parameters: withoutRules(content) }, parameters);
    const [issue] = issues;
    if (issue) throw new Error(`parameter ${issue.path.join('.')} ${issue.message}`);
    const controller = new AbortController();
    const base = this.#context(message, values, controller.signal);
    const total = content.mainSteps.length;
    const phaseOf = (index: number) => (isUndo ? 'undo' : phaseAt(index, total, counts));
    const result = await runDocument({
      document: content,
      phases: counts,
      values,
      platformType: this.#machine.platformType,
      takenUp: null,
      ended: {},
      signal: controller.signal,
      now: () => this.#nowMs,
      runStep: async (step, index, attempt) => {
        this.#step = step.name;
        const context = { ...base, stepIndex: index, phase: phaseOf(index), attempt };
        const run = () =>
          runStep({ context: { ...context, startedAtMs: this.#nowMs }, document: content, step });
        return this.#throughRestarts(run);
      },
      report: ({ index, step, state, exitCode, reason }) =>
        this.#tell({
          kind: 'step',
          isUndo,
          index,
          name: step.name,
          phase: phaseOf(index),
          state,
          exitCode,
          reason,
        }),
    });
    const { statusDetails, responseCode } = result;
    this.#tell({ kind: 'result', isUndo, statusDetails, responseCode });
  }

  async #throughRestarts(run: () => Promise<StepResult>): Promise<StepResult> {
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts += 1) {
      const result = await run();
      if (result.state !== 'Restart') return result;
      this.#reboot();
      // A restarted device does not remember which documents already produced output.
      await this.#machine.forget(ID);
    }
    const reason = `requested more than ${MAX_RESTARTS} restarts`;
    return { state: 'Failed', exitCode: 194, reason };
  }

  #reboot(): void {
    this.#nowMs += RESTART_MS;
    this.#tell({ kind: 'event', type: 'device-restarted' });
    for (const { type } of mend(this.#health, ['network', 'clock', 'memory'])) {
      this.#tell({ kind: 'event', type });
    }
  }

  #message(
    content: SsmDocument,
    phases: CommandMessage['phases'],
    isUndo: boolean,
  ): CommandMessage {
    const { documentName, parameters, storeValues, documents } = this.#request;
    const inAnHour = new Date(this.#nowMs + TIME_LIMIT_SECONDS * 1_000).toISOString();
    return commandMessageSchema.parse({
      invocationId: ID,
      runId: ID,
      attempt: 1,
      documentName,
      documentVersion: 1,
      content,
      phases,
      isUndo,
      undoNotesOf: ID,
      parameters,
      storeValues,
      documents,
      executionTimeoutSeconds: TIME_LIMIT_SECONDS,
      deliverBefore: inAnHour,
      artefactUploadUrl: null,
    });
  }

  #context(
    command: CommandMessage,
    values: StepContext['values'],
    signal: AbortSignal,
  ): Omit<StepContext, 'stepIndex' | 'phase' | 'attempt' | 'startedAtMs'> {
    return {
      machine: this.#machine,
      command,
      values,
      environment: parameterEnvironment(values),
      signal,
      now: () => this.#nowMs,
      isRepeated: false,
      resumeFrom: null,
      software: [],
      output: (stream, text) => this.#tell({ kind: 'output', stream, text }),
      journal: (draft) => {
        if (draft.kind === 'position') this.#tell({ kind: 'event', type: 'position-reported' });
        if (draft.kind === 'event') this.#tell({ kind: 'event', type: draft.type });
      },
      upload: (file) => {
        this.#tell({ kind: 'event', type: `file-collected: ${file.name}` });
        return Promise.resolve();
      },
      runStep,
      restartAgent: () => this.#tell({ kind: 'event', type: 'agent-restarted' }),
    };
  }

  #tell(event: Untimed<DocumentTestEvent>): void {
    if (this.#events.length >= MAX_EVENTS && event.kind !== 'result') {
      this.#truncated = true;
      return;
    }
    this.#events.push({ atMs: this.#nowMs - this.#startMs, ...event } as DocumentTestEvent);
  }
}

/** Distributes over the union. */
type Untimed<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never;

/**
 * Removes parameter rules. The server has validated the values; a value of the parameter store is
 * represented by its name.
 */
function withoutRules({ parameters = {} }: SsmDocument): SsmDocument['parameters'] {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      { type: parameter.type, default: parameter.default },
    ]),
  );
}

/** A device of the model from the simulated fleet. */
function planOf(model: string): DevicePlan {
  const { devices } = describeFleet(200);
  const plan = devices.find((device) => device.model === model) ?? devices[0];
  if (plan === undefined) throw new Error('there is no simulated device');
  return plan;
}
