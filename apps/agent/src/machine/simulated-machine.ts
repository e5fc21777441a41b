/** An in-memory machine with the same interface, based on a device's simulated health. */

import type { MetricValues } from '@deviceportal/contract/device-metrics';
import { AGENT_VERSION } from '../agent-version.ts';
import type { DevicePlan } from '../fleet/describe-fleet.ts';
import {
  addressOf,
  componentsOf,
  installVersion,
  modelOf,
  selfCheckOf,
  type DeviceHealth,
  type HealthEvent,
} from '../fleet/device-health.ts';
import { describePackages } from '../fleet/describe-packages.ts';
import { freeScript } from '../fleet/free-script.ts';
import { seededRandom } from '../fleet/seeded-random.ts';
import { simulateMetrics } from '../fleet/simulate-metrics.ts';
import { simulatedDocuments } from '../fleet/simulated-documents.ts';
import type { ScriptContext, SimulatedFile, SimulatedScript } from '../fleet/simulated-script.ts';
import type {
  DownloadRequest,
  InstalledPackage,
  InventoryFacts,
  Machine,
  PackageRequest,
  SelfCheck,
  ShellJob,
  ShellOutcome,
  SoftwareComponent,
} from './machine.ts';
import { pause } from './pause.ts';

const MAX_UNDO_NOTES = 20;

export interface SimulatedMachineOptions {
  readonly plan: DevicePlan;
  readonly health: DeviceHealth;
  /** Factor by which scripts are faster than real time. */
  readonly timeScale: number;
  /** Whether scripts finish immediately, for benchmarks of everything else. */
  readonly instantResults: boolean;
  readonly bootedAtMs: number;
  /** Called when the health has changed, to save it and report events. */
  readonly onChange: (events: readonly HealthEvent[]) => void;
  readonly onReboot: () => void;
  /** How simulated time passes; by default in real time. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export class SimulatedMachine implements Machine {
  readonly platformType = 'Linux';
  readonly keepsProcesses = false;
  readonly #options: SimulatedMachineOptions;
  /**
   * Commands and phases whose document has already produced its output. Further scripts of it
   * succeed without output.
   */
  readonly #answered = new Set<string>();
  #detached = false;

  constructor(options: SimulatedMachineOptions) {
    this.#options = options;
  }

  inventory(): Promise<InventoryFacts> {
    const { plan, health } = this.#options;
    const model = modelOf(plan);
    return Promise.resolve({
      platformType: this.platformType,
      platformName: 'Debian',
      platformVersion: (health.versions.os ?? '12').replace('Debian ', ''),
      architecture: model.architecture,
      agentVersion: AGENT_VERSION,
      hostName: plan.name,
      ipAddress: addressOf(plan),
      serialNumber: plan.serialNumber,
      model: plan.model,
      hardwareRevision: plan.hardwareRevision,
      timeZone: plan.timeZone,
      details: {
        simulated: true,
        memoryBytes: model.memoryMegabytes * 1024 * 1024,
        disks: [{ mount: '/', type: 'ext4', bytes: model.diskGigabytes * 1024 ** 3 }],
      },
    });
  }

  software(): Promise<readonly SoftwareComponent[]> {
    return Promise.resolve(componentsOf(this.#options.health, AGENT_VERSION));
  }

  packages(): Promise<readonly InstalledPackage[]> {
    const { plan, health } = this.#options;
    return Promise.resolve(describePackages(plan.serialNumber, health.versions.os ?? ''));
  }

  selfCheck(): Promise<SelfCheck> {
    return Promise.resolve(
      selfCheckOf(this.#options.health, this.#options.plan, this.#uptimeSeconds()),
    );
  }

  measure(): Promise<MetricValues> {
    const { plan, health } = this.#options;
    return Promise.resolve(simulateMetrics({ plan, health, timeMs: Date.now(), isFaulty: true }));
  }

  async runShell(job: ShellJob): Promise<ShellOutcome> {
    const files: SimulatedFile[] = [];
    const reports: unknown[] = [];
    const context = this.#context(job, files, reports);
    const before = JSON.stringify(this.#options.health);
    const exitCode = await this.#play(job, this.#scriptFor(job, context));
    if (JSON.stringify(this.#options.health) !== before) this.#options.onChange([]);
    return {
      exitCode,
      lost: exitCode === null ? 'killed' : null,
      reports,
      files: files.map(({ name, content }) => ({
        name,
        content: () => Promise.resolve(new Blob([content])),
      })),
    };
  }

  download(request: DownloadRequest): Promise<number> {
    if (this.#options.health.diskUsedPercent >= 90) {
      return Promise.reject(new Error('write failed: No space left on device'));
    }
    return Promise.resolve(4_096 + request.url.length * 1_031);
  }

  readText(): Promise<string> {
    return Promise.reject(new Error('No such file or directory'));
  }

  async configurePackage(request: PackageRequest): Promise<string> {
    const { health, instantResults, timeScale } = this.#options;
    const { name, action } = request;
    const before = health.versions[name];
    if (action === 'Uninstall') {
      if (before === undefined) throw new Error(`${name} is not installed`);
      delete health.versions[name];
      this.#options.onChange([{ type: 'software-removed', data: { component: name } }]);
      return `${name} removed`;
    }
    const notes = this.#undoNotes(request.undoNotesOf);
    const note = `package ${name}`;
    if (!request.isUndo) notes[note] ??= before ?? '';
    const noted = request.isUndo ? notes[note] : undefined;
    if (noted === '') {
      delete health.versions[name];
      this.#options.onChange([{ type: 'software-removed', data: { component: name } }]);
      return `${name} removed, because it was not installed before`;
    }
    const previous = action === 'Rollback' ? health.previousVersions[name] : undefined;
    const version = request.version ?? (noted || previous);
    if (!version) throw new Error(`${name} has no previous version`);
    if (health.diskUsedPercent >= 90) throw new Error('write failed: No space left on device');
    if (!instantResults) await this.#sleep(1_500 / timeScale, request.signal);
    request.signal.throwIfAborted();
    this.#options.onChange(installVersion(health, name, version));
    if (action === 'Rollback') return `${name} is back at ${version}`;
    return `${name} ${version} installed, before it was ${before ?? 'none'}`;
  }

  reboot(): Promise<void> {
    this.#options.onReboot();
    return Promise.resolve();
  }

  forget(invocationId: string): Promise<void> {
    for (const said of this.#answered) {
      if (said.startsWith(`${invocationId}/`)) this.#answered.delete(said);
    }
    return Promise.resolve();
  }

  detach(): void {
    this.#detached = true;
  }

  #scriptFor(job: ShellJob, context: ScriptContext): SimulatedScript {
    const name = job.documentName.replace(/^DevicePortal-/, '');
    const document = simulatedDocuments[job.phase === 'main' ? name : `${name}/${job.phase}`];
    if (!document) return freeScript(context, job.script);
    // A document can run another one.
    const said = `${job.invocationId}/${name}/${job.phase}`;
    if (this.#answered.has(said) && job.attempt === 1) return silence();
    this.#answered.add(said);
    return document(context);
  }

  async #play(job: ShellJob, script: SimulatedScript): Promise<number | null> {
    const consumed = { stdout: 0, stderr: 0 };
    const { instantResults, timeScale } = this.#options;
    for (;;) {
      if (job.signal.aborted) return null;
      const next = script.next();
      if (next.done) return next.value;
      const { afterMs, stream, text } = next.value;
      if (!instantResults && afterMs > 0) await this.#sleep(afterMs / timeScale, job.signal);
      if (this.#detached) return await new Promise<never>(() => {});
      if (job.signal.aborted) return null;
      if (text === '') continue;
      consumed[stream] += text.length;
      job.onOutput(stream, text, consumed[stream]);
    }
  }

  #context(job: ShellJob, files: SimulatedFile[], reports: unknown[]): ScriptContext {
    const { plan, health, onChange, onReboot } = this.#options;
    return {
      invocationId: job.invocationId,
      undoNotes: this.#undoNotes(job.undoNotesOf),
      plan,
      health,
      parameters: job.parameters,
      random: seededRandom(job.invocationId),
      nowMs: Date.now(),
      uptimeSeconds: this.#uptimeSeconds(),
      events: onChange,
      collect: (file) => files.push(file),
      report: (report) => reports.push(report),
      reboot: onReboot,
    };
  }

  /** Kept with the health; the oldest are deleted. */
  #undoNotes(invocationId: string | null): Record<string, string> {
    if (invocationId === null) return {};
    const { health } = this.#options;
    health.undoNotes ??= {};
    const notes = (health.undoNotes[invocationId] ??= {});
    const [oldest] = Object.keys(health.undoNotes);
    if (oldest !== undefined && Object.keys(health.undoNotes).length > MAX_UNDO_NOTES) {
      delete health.undoNotes[oldest];
    }
    return notes;
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return (this.#options.sleep ?? pause)(ms, signal);
  }

  #uptimeSeconds(): number {
    return Math.max(0, Math.round((Date.now() - this.#options.bootedAtMs) / 1_000));
  }
}

// eslint-disable-next-line require-yield -- a script without output
function* silence(): SimulatedScript {
  return 0;
}
