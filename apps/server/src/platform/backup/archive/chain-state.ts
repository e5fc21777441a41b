import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SEGMENT } from './wal-names.ts';
import { spoolDirOf } from './wal-spool.ts';

const chainStateSchema = z.object({
  id: z.string(),
  /** Identifier of the cluster, which another cluster in the same folder does not have. */
  cluster: z.string(),
  /** The last segment in the backup location, or the one before its first one. */
  lastSegment: z.string().regex(SEGMENT),
  /** Digest of the keys in the backup location. */
  keysDigest: z.string().nullable(),
  /** First segment that each complete copy needs, by the copy's ID. */
  copies: z.record(z.string(), z.string().regex(SEGMENT)),
  /** When a file in the backup location was first not found in the data folder anymore, by folder and key. */
  missingSince: z.record(z.string(), z.iso.datetime()),
});
/** What this data folder has archived. If it is lost, another chain begins. */
export type ChainState = z.infer<typeof chainStateSchema>;

const pathOf = (dataDir: string): string => join(spoolDirOf(dataDir), 'chain.json');

export async function readChainState(dataDir: string): Promise<ChainState | undefined> {
  const text = await readFile(pathOf(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return chainStateSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The state of the chain of a data folder, which two loops change. */
export class KeptChain {
  readonly #dataDir: string;
  #state: ChainState;
  #writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string, state: ChainState) {
    this.#dataDir = dataDir;
    this.#state = state;
  }

  get state(): ChainState {
    return this.#state;
  }

  /** Resolves when the change is durable. */
  async change(part: Partial<Omit<ChainState, 'id'>>): Promise<void> {
    this.#state = { ...this.#state, ...part };
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    const path = pathOf(this.#dataDir);
    await writeFile(`${path}.new`, JSON.stringify(this.#state), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }
}
