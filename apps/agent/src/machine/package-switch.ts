/**
 * The current and previous version of a package: two links next to the versions' directories.
 *
 * Two links cannot change atomically, so the intended switch is saved before the first one changes.
 * After a kill or power failure, `previous` is updated to match `current`.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { linkDurably, writeDurably, type FileSystem } from './durable-files.ts';

const CURRENT = 'current';
const PREVIOUS = 'previous';
const RECORD = '.switch.json';

const recordSchema = z.object({
  operation: z.string(),
  to: z.string(),
  /** Target of the other link after the switch. */
  previous: z.string().nullable(),
  /** The previous version, returned when the operation is repeated. */
  before: z.string().nullable(),
});
type SwitchRecord = z.infer<typeof recordSchema>;

/** No version contains a tilde. The suffix distinguishes installations of the same version. */
export const versionOf = (directory: string): string => directory.replace(/~\d+$/, '');

export class PackageSwitch {
  readonly #fs: FileSystem;
  readonly #root: string;

  constructor(fs: FileSystem, packageRoot: string) {
    this.#fs = fs;
    this.#root = packageRoot;
  }

  /** Directory names; null if the link does not exist. */
  async links(): Promise<{ current: string | null; previous: string | null }> {
    const read = (name: string) => this.#fs.readlink(join(this.#root, name)).catch(() => null);
    return { current: await read(CURRENT), previous: await read(PREVIOUS) };
  }

  /** The switch that this operation made before a restart of the agent. */
  async madeBy(operation: string): Promise<Pick<SwitchRecord, 'to' | 'before'> | null> {
    const record = await this.#record();
    if (record?.operation !== operation) return null;
    return (await this.links()).current === record.to ? record : null;
  }

  /** Completes a switch that was interrupted after its first link. */
  async complete(): Promise<void> {
    const record = await this.#record();
    if (record === null) return;
    const { current, previous } = await this.links();
    if (current !== record.to || record.previous === null || previous === record.previous) return;
    await linkDurably(this.#fs, join(this.#root, PREVIOUS), record.previous);
  }

  /** @returns the previous version */
  async to(directory: string, operation: string): Promise<string | null> {
    const { current, previous } = await this.links();
    const before = current === null ? null : versionOf(current);
    // A reinstallation of the same version is not a previous version.
    const isOther = current !== null && before !== versionOf(directory);
    const record: SwitchRecord = {
      operation,
      to: directory,
      previous: isOther ? current : previous,
      before,
    };
    await writeDurably(this.#fs, join(this.#root, RECORD), JSON.stringify(record));
    if (current !== directory) await linkDurably(this.#fs, join(this.#root, CURRENT), directory);
    await this.complete();
    return before;
  }

  async #record(): Promise<SwitchRecord | null> {
    const text = await this.#fs.readFile(join(this.#root, RECORD), 'utf8').catch(() => '{}');
    return recordSchema.safeParse(JSON.parse(text)).data ?? null;
  }
}
