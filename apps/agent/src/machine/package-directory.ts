/**
 * Packages in versioned directories: `<root>/<name>/<version>/`, and `current` is a symbolic link that is
 * switched in one step. What was current before stays for a rollback.
 */

import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SoftwareComponent } from './machine.ts';

const INSTALL_SCRIPT_TIMEOUT_MS = 600_000;
const run = promisify(execFile);

/** The name under which the agent's own program is kept. */
export const AGENT_PACKAGE = 'agent';
export const programRoot = (stateDirectory: string): string => join(stateDirectory, 'program');

export class PackageDirectory {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Installed packages with their current versions. */
  async list(): Promise<SoftwareComponent[]> {
    const names = await readdir(this.#root).catch(() => []);
    const components: SoftwareComponent[] = [];
    for (const name of names.toSorted()) {
      const version = await this.currentVersion(name);
      if (version !== null) components.push({ component: name, version });
    }
    return components;
  }

  async currentVersion(name: string): Promise<string | null> {
    return readlink(join(this.#root, name, 'current')).catch(() => null);
  }

  /**
   * Puts an artefact in place and makes it current. A `.tar.gz`, `.tgz` or `.tar` is unpacked, and its
   * `install.sh` runs; anything else is kept as a single file.
   */
  async install(name: string, version: string, artefactPath: string): Promise<string | null> {
    const target = join(this.#root, name, version);
    const staging = `${target}.new`;
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    if (/\.(tar\.gz|tgz|tar)$/.test(artefactPath)) {
      await run('tar', ['-xf', artefactPath, '-C', staging]);
    } else {
      await rename(artefactPath, join(staging, artefactPath.split('/').at(-1) ?? name));
    }
    await this.#runHook(staging, 'install.sh');
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
    return this.activate(name, version);
  }

  /** Makes an installed version current; returns the one before. */
  async activate(name: string, version: string): Promise<string | null> {
    const before = await this.currentVersion(name);
    await access(join(this.#root, name, version)).catch(() => {
      throw new Error(`${name} ${version} is not on this device`);
    });
    await this.#link(name, 'current', version);
    if (before !== null && before !== version) await this.#link(name, 'previous', before);
    return before;
  }

  /** Goes back to the version that was current before, or to the one named. */
  async rollback(name: string, version: string | null): Promise<string> {
    const target =
      version ?? (await readlink(join(this.#root, name, 'previous')).catch(() => null));
    if (target === null) throw new Error(`${name} has no version to go back to`);
    await this.activate(name, target);
    return target;
  }

  async uninstall(name: string): Promise<void> {
    const current = await this.currentVersion(name);
    if (current === null) throw new Error(`${name} is not installed`);
    await this.#runHook(join(this.#root, name, current), 'uninstall.sh');
    await rm(join(this.#root, name), { recursive: true, force: true });
  }

  async #link(name: string, link: string, version: string): Promise<void> {
    const temporary = join(this.#root, name, `.${link}.new`);
    await rm(temporary, { force: true });
    await symlink(version, temporary);
    await rename(temporary, join(this.#root, name, link));
  }

  async #runHook(directory: string, hook: string): Promise<void> {
    const exists = await readFile(join(directory, hook)).then(
      () => true,
      () => false,
    );
    if (!exists) return;
    await run('/bin/sh', [hook], { cwd: directory, timeout: INSTALL_SCRIPT_TIMEOUT_MS });
  }
}
