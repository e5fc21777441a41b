/**
 * Packages in versioned directories: `<root>/<name>/<version>/`. `current` is a symbolic link that
 * is switched atomically. The previous version is kept for a rollback; older ones are deleted
 * unless pinned. After a kill or power failure, `current` refers to a complete version, the old or
 * the new one, and the next operation removes leftovers.
 *
 * A version that is installed again gets a new directory (`<version>~2`). The directory in use is
 * never changed.
 */

import { execFile } from 'node:child_process';
import * as realFileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireFreeBytes, unpackedBytes, type FreeBytes } from './disk-space.ts';
import { moveDurably, syncTree, type FileSystem } from './durable-files.ts';
import type { SoftwareComponent } from './machine.ts';
import { PackageSwitch, versionOf } from './package-switch.ts';

const INSTALL_SCRIPT_TIMEOUT_MS = 600_000;
const run = promisify(execFile);

/** Package name of the agent's own program. */
export const AGENT_PACKAGE = 'agent';
export const programRoot = (stateDirectory: string): string => join(stateDirectory, 'program');
export const isArchive = (path: string): boolean => /\.(tar\.gz|tgz|tar)$/.test(path);

export interface PackageOperation {
  readonly name: string;
  /** ID of the request. Repeated operations with the same ID are not executed again. */
  readonly operation: string;
}

export interface PackageInstallation extends PackageOperation {
  readonly version: string;
  readonly artifactPath: string;
}

export interface PackageDirectoryOptions {
  readonly fileSystem?: FileSystem;
  readonly freeBytes?: FreeBytes;
  /** Versions that are never deleted, as `name@version`. */
  readonly pinned?: () => Promise<readonly string[]>;
  /** Rejects a file that must not be installed. */
  readonly check?: (installation: PackageInstallation) => Promise<void>;
  /** Called with the directories before a new version becomes current. */
  readonly beforeSwitch?: (change: {
    readonly from: string | null;
    readonly to: string;
  }) => Promise<void>;
}

export class PackageDirectory {
  readonly #root: string;
  readonly #fs: FileSystem;
  readonly #freeBytes: FreeBytes | undefined;
  readonly #pinned: () => Promise<readonly string[]>;
  readonly #hooks: Pick<PackageDirectoryOptions, 'check' | 'beforeSwitch'>;
  /** The last operation of each package, because several commands run concurrently. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(root: string, options: PackageDirectoryOptions = {}) {
    this.#root = root;
    this.#fs = options.fileSystem ?? realFileSystem;
    this.#freeBytes = options.freeBytes;
    this.#pinned = options.pinned ?? (() => Promise.resolve([]));
    this.#hooks = options;
  }

  /** Installed packages with their current versions. */
  async list(): Promise<SoftwareComponent[]> {
    const names = await this.#fs.readdir(this.#root).catch(() => []);
    const components: SoftwareComponent[] = [];
    for (const name of names.toSorted()) {
      const version = name.startsWith('.') ? null : await this.currentVersion(name);
      if (version !== null) components.push({ component: name, version });
    }
    return components;
  }

  async currentVersion(name: string): Promise<string | null> {
    const { current } = await this.#switch(name).links();
    return current === null ? null : versionOf(current);
  }

  /** Whether a version is on the device, current or not. */
  async holds(name: string, version: string): Promise<boolean> {
    return (await this.#directoriesOf(name, version)).length > 0;
  }

  /** What this operation installed before a restart of the agent, or null. */
  installedBy({ name, operation }: PackageOperation): Promise<{ before: string | null } | null> {
    return this.#alone(name, async () => {
      await this.#clear(name);
      return this.#switch(name).madeBy(operation);
    });
  }

  /**
   * Installs an artifact and makes it current. A `.tar.gz`, `.tgz`, or `.tar` is unpacked and its
   * `install.sh` runs; any other file is stored unchanged. Returns the previous version.
   */
  install(installation: PackageInstallation): Promise<string | null> {
    const { name, version, operation } = installation;
    return this.#alone(name, async () => {
      await this.#hooks.check?.(installation);
      await this.#clear(name);
      // No version starts with a dot, so the name is free.
      const staging = join(this.#root, name, `.${version}.new`);
      try {
        await this.#stage(staging, installation);
        const directory = await this.#freeName(name, version);
        await moveDurably(this.#fs, staging, join(this.#root, name, directory));
        const { current } = await this.#switch(name).links();
        await this.#hooks.beforeSwitch?.({ from: current, to: directory });
        const before = await this.#switch(name).to(directory, operation);
        await this.#clear(name);
        return before;
      } catch (error) {
        await this.#fs.rm(staging, { recursive: true, force: true });
        throw error;
      }
    });
  }

  /** Makes an installed version current and returns the previous one. */
  activate({ name, version, operation }: PackageOperation & { version: string }) {
    return this.#alone(name, async () => {
      await this.#clear(name);
      return this.#activate(name, version, operation);
    });
  }

  /** Rolls back to the previous version, or to the specified one. */
  rollback({ name, version, operation }: PackageOperation & { version: string | null }) {
    return this.#alone(name, async () => {
      await this.#clear(name);
      // A repeated rollback must not roll forward.
      const done = await this.#switch(name).madeBy(operation);
      if (done) return versionOf(done.to);
      const { previous } = await this.#switch(name).links();
      const target = version ?? (previous === null ? null : versionOf(previous));
      if (target === null) throw new Error(`${name} has no previous version`);
      await this.#activate(name, target, operation);
      return target;
    });
  }

  /** With `isRepeated`, an already removed package is not an error. */
  uninstall(name: string, isRepeated = false): Promise<void> {
    return this.#alone(name, async () => {
      await this.#clear(name);
      const { current } = await this.#switch(name).links();
      if (current === null) {
        if (isRepeated) return;
        throw new Error(`${name} is not installed`);
      }
      await this.#runHook(join(this.#root, name, current), 'uninstall.sh');
      await this.#discard(this.#root, name);
    });
  }

  async #stage(staging: string, { name, artifactPath }: PackageInstallation): Promise<void> {
    await this.#fs.mkdir(staging, { recursive: true });
    if (isArchive(artifactPath)) {
      await requireFreeBytes(staging, await unpackedBytes(artifactPath), this.#freeBytes);
      await run('tar', ['-xf', artifactPath, '-C', staging]);
    } else {
      await this.#fs.rename(artifactPath, join(staging, artifactPath.split('/').at(-1) ?? name));
    }
    await this.#runHook(staging, 'install.sh');
    await syncTree(this.#fs, staging);
  }

  async #activate(name: string, version: string, operation: string): Promise<string | null> {
    const own = await this.#directoriesOf(name, version);
    const { current, previous } = await this.#switch(name).links();
    const directory =
      own.find((one) => one === current) ?? own.find((one) => one === previous) ?? own.at(-1);
    if (directory === undefined) throw new Error(`${name} ${version} is not on this device`);
    return this.#switch(name).to(directory, operation);
  }

  /**
   * Removes leftovers of interrupted operations, and versions that are neither current, previous,
   * nor pinned, because devices have little storage.
   */
  async #clear(name: string): Promise<void> {
    const root = join(this.#root, name);
    await this.#fs.rm(join(this.#root, leftoverOf(name)), { recursive: true, force: true });
    const found = await this.#fs.readdir(root).catch(() => []);
    if (found.length === 0) return;
    await this.#switch(name).complete();
    const { current, previous } = await this.#switch(name).links();
    const kept = [current, previous];
    const pinned = await this.#pinned();
    for (const entry of found) {
      const isLeftover = entry.startsWith('.') && /\.(new|old)$/.test(entry);
      if (isLeftover) await this.#fs.rm(join(root, entry), { recursive: true, force: true });
      if (entry.startsWith('.') || kept.includes(entry) || isLink(entry)) continue;
      const isReplaced = kept.some((one) => one !== null && versionOf(one) === versionOf(entry));
      if (isReplaced || !pinned.includes(`${name}@${versionOf(entry)}`)) {
        await this.#discard(root, entry);
      }
    }
  }

  /** Renames the directory first, so that a partly deleted version is never used. */
  async #discard(folder: string, entry: string): Promise<void> {
    const leftover = join(folder, leftoverOf(entry));
    await this.#fs.rm(leftover, { recursive: true, force: true });
    await moveDurably(this.#fs, join(folder, entry), leftover);
    await this.#fs.rm(leftover, { recursive: true, force: true });
  }

  /** Directories of this version, oldest first. */
  async #directoriesOf(name: string, version: string): Promise<string[]> {
    const found = await this.#fs.readdir(join(this.#root, name)).catch(() => []);
    return found
      .filter((entry) => !entry.startsWith('.') && versionOf(entry) === version)
      .toSorted((one, other) => generationOf(one) - generationOf(other));
  }

  /** A directory name for another installation of a version. An unused directory is replaced. */
  async #freeName(name: string, version: string): Promise<string> {
    const { current, previous } = await this.#switch(name).links();
    const used: string[] = [];
    for (const directory of await this.#directoriesOf(name, version)) {
      if (directory === current || directory === previous) used.push(directory);
      else await this.#discard(join(this.#root, name), directory);
    }
    const last = used.at(-1);
    return last === undefined ? version : `${version}~${generationOf(last) + 1}`;
  }

  async #runHook(directory: string, hook: string): Promise<void> {
    const exists = await this.#fs.readFile(join(directory, hook)).then(
      () => true,
      () => false,
    );
    if (!exists) return;
    await run('/bin/sh', [hook], { cwd: directory, timeout: INSTALL_SCRIPT_TIMEOUT_MS });
  }

  #switch(name: string): PackageSwitch {
    return new PackageSwitch(this.#fs, join(this.#root, name));
  }

  #alone<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(task);
    this.#last.set(name, mine);
    void mine.catch(() => {});
    return mine;
  }
}

const isLink = (entry: string): boolean => entry === 'current' || entry === 'previous';
const leftoverOf = (entry: string): string => `.${entry}.old`;
const generationOf = (directory: string): number => Number(/~(\d+)$/.exec(directory)?.[1] ?? 1);
