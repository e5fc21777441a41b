/** The machine on which this process runs. */

import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, stat, statfs } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { MetricValues } from '@deviceportal/contract/device-metrics';
import si from 'systeminformation';
import {
  claimUnbegun,
  collectedFiles,
  CommandDirectory,
  readReports,
  type StepFiles,
} from './command-directory.ts';
import { openAgentProgram } from '../program/agent-program.ts';
import { fetchFile } from './fetch-file.ts';
import { MetricReader } from './metrics/metric-reader.ts';
import { platformTypeOf, readComponents, readInventory, readPackages } from './machine-facts.ts';
import type {
  DownloadRequest,
  InstalledPackage,
  InventoryFacts,
  Machine,
  PackageRequest,
  PlatformType,
  SelfCheck,
  ShellJob,
  ShellOutcome,
  SoftwareComponent,
} from './machine.ts';
import {
  AGENT_PACKAGE,
  isArchive,
  PackageDirectory,
  type PackageOperation,
} from './package-directory.ts';
import { readPinnedVersions } from './pinned-versions.ts';
import { StepProcess } from './step-process.ts';
import { UndoNotes } from './undo-notes.ts';

const DISK_FULL_PERCENT = 90;
const MEMORY_FULL_PERCENT = 95;
const run = promisify(execFile);

export interface RealMachineOptions {
  readonly stateDirectory: string;
  /** Set at installation; otherwise read from the firmware. */
  readonly serialNumber: string | null;
  readonly fetch?: typeof fetch;
}

export class RealMachine implements Machine {
  readonly platformType: PlatformType = platformTypeOf(process.platform);
  readonly keepsProcesses = true;
  readonly #options: RealMachineOptions;
  readonly #packages: PackageDirectory;
  /** Separate from the packages, so that erasing those does not remove the agent. */
  readonly #program: PackageDirectory;
  readonly #undoNotes: UndoNotes;
  readonly #running = new Set<StepProcess>();
  readonly #metrics: MetricReader;

  constructor(options: RealMachineOptions) {
    this.#options = options;
    this.#metrics = new MetricReader({ directory: options.stateDirectory });
    this.#undoNotes = new UndoNotes(options.stateDirectory);
    this.#packages = new PackageDirectory(join(options.stateDirectory, 'packages'), {
      pinned: async () => [
        ...(await readPinnedVersions(options.stateDirectory)),
        ...(await this.#undoNotes.notedVersions()),
      ],
    });
    this.#program = openAgentProgram(options.stateDirectory);
  }

  measure(): Promise<MetricValues> {
    return this.#metrics.read();
  }

  inventory(): Promise<InventoryFacts> {
    return readInventory(this.#options.serialNumber);
  }

  async software(): Promise<readonly SoftwareComponent[]> {
    return [...(await readComponents()), ...(await this.#packages.list())];
  }

  packages(): Promise<readonly InstalledPackage[]> {
    return readPackages(async (command, args) => {
      const { stdout } = await run(command, [...args], { maxBuffer: 16 * 1024 * 1024 });
      return stdout;
    });
  }

  async selfCheck(): Promise<SelfCheck> {
    const [memory, disks] = await Promise.all([si.mem(), si.fsSize()]);
    const disk = disks.find((candidate) => candidate.mount === '/') ?? disks[0];
    const diskUsedPercent = disk ? Math.min(100, Math.round(disk.use)) : null;
    const used = memory.total > 0 ? (1 - memory.available / memory.total) * 100 : 0;
    const memoryUsedPercent = Math.min(100, Math.max(0, Math.round(used)));
    const failing: SelfCheck['failing'] = [];
    if (diskUsedPercent !== null && diskUsedPercent >= DISK_FULL_PERCENT) {
      failing.push({ part: 'disk', fact: `${diskUsedPercent} % used` });
    }
    const ownUsedPercent = await usedPercentOf(this.#options.stateDirectory);
    if (failing.length === 0 && ownUsedPercent >= DISK_FULL_PERCENT) {
      failing.push({
        part: 'disk',
        fact: `${ownUsedPercent} % used where the agent keeps its state`,
      });
    }
    if (memoryUsedPercent >= MEMORY_FULL_PERCENT) {
      failing.push({ part: 'memory', fact: `${memoryUsedPercent} % used` });
    }
    return { failing, diskUsedPercent, memoryUsedPercent, uptimeSeconds: Math.round(uptime()) };
  }

  async runShell(job: ShellJob): Promise<ShellOutcome> {
    const directory = new CommandDirectory(this.#options.stateDirectory, job.invocationId);
    const files = directory.step(job.stepIndex, job.attempt);
    // The agent may have ended after saving the start of the script and before starting it.
    const claimed = job.resumeFrom !== null && (await claimUnbegun(files));
    const adoptFrom = claimed ? null : job.resumeFrom;
    if (job.signal.aborted && !adoptFrom) return nothingRan;
    const step = adoptFrom
      ? await StepProcess.adopt({ ...job, files }, adoptFrom)
      : await this.#start(job, { directory, files, claimed });
    this.#running.add(step);
    try {
      const end = await step.run();
      return { ...end, reports: await readReports(files), files: await collectedFiles(files) };
    } finally {
      this.#running.delete(step);
    }
  }

  async download(request: DownloadRequest): Promise<number> {
    const directory = new CommandDirectory(this.#options.stateDirectory, request.invocationId);
    await mkdir(directory.work, { recursive: true, mode: 0o700 });
    const path = directory.path(request.destination);
    return fetchFile({ ...request, path }, { fetch: this.#options.fetch ?? fetch });
  }

  readText(invocationId: string, path: string): Promise<string> {
    return readFile(
      new CommandDirectory(this.#options.stateDirectory, invocationId).path(path),
      'utf8',
    );
  }

  async configurePackage(request: PackageRequest): Promise<string> {
    const { name, version, action, isRepeated } = request;
    const operation = `${request.invocationId}/${request.stepIndex}`;
    if (name === AGENT_PACKAGE && action === 'Uninstall') {
      throw new Error('the agent cannot remove itself');
    }
    const packages = name === AGENT_PACKAGE ? this.#program : this.#packages;
    if (request.isUndo && action === 'Rollback' && version === null) {
      return this.#undoPackage(packages, { name, operation, undoNotesOf: request.undoNotesOf });
    }
    if (request.undoNotesOf !== null && !request.isUndo) {
      const before = await packages.currentVersion(name);
      await this.#undoNotes.notePackage(request.undoNotesOf, { name, version: before });
    }
    if (action === 'Uninstall') {
      await packages.uninstall(name, isRepeated);
      return `${name} removed`;
    }
    if (action === 'Rollback') {
      return `${name} is back at ${await packages.rollback({ name, version, operation })}`;
    }
    if (version === null) throw new Error('an installation requires a version');
    const done = await packages.installedBy({ name, operation });
    if (done) return `${name} ${version} installed, before it was ${done.before ?? 'none'}`;
    const order = { ...request, version, operation };
    if (request.source !== null) return this.#install(packages, order);
    if (request.offered !== null && !(await packages.holds(name, version))) {
      const { url: source, sha256 } = request.offered;
      return this.#install(packages, { ...order, source, sha256 });
    }
    if (!(await packages.holds(name, version))) {
      throw new Error(
        `${name} ${version} is not on this device, and the portal has no approved file of it`,
      );
    }
    const before = await packages.activate({ name, version, operation });
    return `${name} ${version} is current, before it was ${before ?? 'none'}`;
  }

  async reboot(): Promise<void> {
    if (process.platform === 'darwin') await run('shutdown', ['-r', 'now']);
    else await run('systemctl', ['reboot']).catch(() => run('shutdown', ['-r', 'now']));
  }

  async forget(invocationId: string): Promise<void> {
    await new CommandDirectory(this.#options.stateDirectory, invocationId).remove();
    await this.#undoNotes.removeOld(Date.now());
  }

  detach(): void {
    for (const step of this.#running) step.detach();
    this.#running.clear();
  }

  /** Restores the version before the undone command, regardless of later changes. */
  async #undoPackage(
    packages: PackageDirectory,
    request: PackageOperation & Pick<PackageRequest, 'undoNotesOf'>,
  ): Promise<string> {
    const { name, operation, undoNotesOf } = request;
    const noted =
      undoNotesOf === null ? null : await this.#undoNotes.packageBefore(undoNotesOf, name);
    if (noted?.version === null && name !== AGENT_PACKAGE) {
      await packages.uninstall(name, true);
      return `${name} removed, because it was not installed before`;
    }
    const version = noted?.version ?? null;
    return `${name} is back at ${await packages.rollback({ name, version, operation })}`;
  }

  async #install(
    packages: PackageDirectory,
    request: PackageRequest & { readonly version: string; readonly operation: string },
  ): Promise<string> {
    const { name, version, operation, sha256, signal } = request;
    const url = request.source ?? '';
    const directory = new CommandDirectory(this.#options.stateDirectory, request.invocationId);
    const folder = join(directory.root, `artefact-${request.stepIndex}`);
    const path = join(folder, fileNameOf(url) ?? name);
    const bytes = await fetchFile(
      { url, path, sha256, signal, copies: isArchive(path) ? 2 : 1 },
      { fetch: this.#options.fetch ?? fetch },
    );
    const before = await packages.install({ name, version, operation, artifactPath: path });
    return `${name} ${version} installed (${bytes} bytes), before it was ${before ?? 'none'}`;
  }

  async #start(
    job: ShellJob,
    place: {
      readonly directory: CommandDirectory;
      readonly files: StepFiles;
      readonly claimed: boolean;
    },
  ): Promise<StepProcess> {
    const { directory, files, claimed } = place;
    await directory.prepare(files, job.script, claimed);
    const workingDirectory = directory.path(job.workingDirectory ?? '.');
    if (!(await isDirectory(workingDirectory))) {
      throw new Error(`the working directory ${workingDirectory} does not exist`);
    }
    const { undoNotesOf } = job;
    const undo =
      undoNotesOf === null ? {} : { DEVICEPORTAL_UNDO: await this.#undoNotes.open(undoNotesOf) };
    return StepProcess.start({
      files,
      claimed,
      workingDirectory,
      command: await commandFor(job, files),
      environment: {
        ...ownEnvironment(),
        ...job.environment,
        ...undo,
        DEVICEPORTAL_ARTIFACTS: files.artifacts,
        // The name of earlier releases, which documents of an installation still use.
        DEVICEPORTAL_ARTEFACTS: files.artifacts,
        DEVICEPORTAL_REPORT: files.report,
        DEVICEPORTAL_CONFIG: join(this.#options.stateDirectory, 'config.json'),
        DEVICEPORTAL_STATE: this.#options.stateDirectory,
        DEVICEPORTAL_AGENT_PID: String(process.pid),
      },
      onOutput: job.onOutput,
      signal: job.signal,
    });
  }
}

/** The last part of the URL's path, if it is a valid file name. */
function fileNameOf(url: string): string | null {
  const part = basename(new URL(url).pathname);
  try {
    const name = basename(decodeURIComponent(part));
    return /^\.*$/.test(name) || name.includes('\0') ? null : name;
  } catch {
    return part;
  }
}

const nothingRan: ShellOutcome = { exitCode: null, lost: 'not begun', reports: [], files: [] };

/** Scripts must not see the agent's settings, which include its claim token. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DEVICEPORTAL|npm|NODE)_/.test(name)),
  );
}

/** Like SSM: a script can specify its interpreter in the first line. */
async function commandFor(job: ShellJob, files: StepFiles): Promise<readonly string[]> {
  if (job.shell === 'sh') {
    return job.script.startsWith('#!') ? [files.script] : ['/bin/sh', files.script];
  }
  const found = await run('pwsh', ['-NoLogo', '-NoProfile', '-Command', 'exit 0']).catch(
    () => null,
  );
  if (!found) throw new Error('PowerShell (pwsh) is not installed on this device');
  const source = `${files.script}.ps1`;
  await rename(files.script, source);
  return ['pwsh', '-NoLogo', '-NoProfile', '-NonInteractive', '-File', source];
}

/** As in df: excludes the space reserved for root. */
async function usedPercentOf(directory: string): Promise<number> {
  const found = await statfs(directory).catch(() => null);
  const used = found ? found.blocks - found.bfree : 0;
  return found && used > 0 ? Math.ceil((used / (used + found.bavail)) * 100) : 0;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
