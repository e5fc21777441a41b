import { ChainBroken, shipChanges } from '../platform/backup/archive/ship-changes.ts';
import type { ArchiveContext } from '../platform/backup/archive/archive-context.ts';
import { openChain, timeOfKey } from '../platform/backup/archive/archive-places.ts';
import { beginChain, resumeChain } from '../platform/backup/archive/begin-chain.ts';
import type { KeptChain } from '../platform/backup/archive/chain-state.ts';
import { copyWholeCluster } from '../platform/backup/archive/copy-whole-cluster.ts';
import { pruneChains } from '../platform/backup/archive/prune-chains.ts';
import { repeat } from '../platform/process/repeat.ts';
import type { BackupRecorder } from './record-backup.ts';

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 60_000;

export interface ArchiveRun {
  readonly context: ArchiveContext;
  readonly recorder: BackupRecorder;
  /** Time between complete copies. */
  readonly everyMs: number;
  readonly changesEveryMs: number;
  /** Called if an outcome could not be recorded. */
  readonly onError: (error: unknown) => void;
}

/** Archives the embedded database until disposed: complete copies, and between them all changes. */
export async function runArchive(run: ArchiveRun): Promise<AsyncDisposable> {
  const archive = new Archive(run);
  await archive.resume();
  // A process that made a copy was killed.
  await run.recorder.interrupted();
  const resources = new AsyncDisposableStack();
  const timing = { everyMs: LOOK_EVERY_MS, onError: run.onError };
  resources.use(repeat(() => archive.copyIfDue(), timing));
  resources.use(repeat(() => archive.ship(), { ...timing, everyMs: run.changesEveryMs }));
  return resources;
}

class Archive {
  readonly #run: ArchiveRun;
  #chain: KeptChain | undefined;
  #retryAt = 0;
  /** When the newest attempt began. */
  #triedAt = 0;

  constructor(run: ArchiveRun) {
    this.#run = run;
  }

  async resume(): Promise<void> {
    this.#chain = await resumeChain(this.#run.context);
  }

  async copyIfDue(): Promise<void> {
    const { context, recorder, everyMs } = this.#run;
    const now = context.clock().getTime();
    const [newest = ''] = Object.keys(this.#chain?.state.copies ?? {})
      .toSorted()
      .toReversed();
    const requestedAt = (await recorder.requestedAt())?.getTime() ?? 0;
    const isRequested = requestedAt > this.#triedAt;
    const isDue = newest === '' || now - timeOfKey(newest).getTime() >= everyMs || requestedAt > 0;
    if (!isDue || (now < this.#retryAt && !isRequested)) return;
    this.#triedAt = now;
    try {
      const chain = (this.#chain ??= await beginChain(context));
      await this.#copy(chain);
      this.#retryAt = 0;
    } catch (error) {
      this.#retryAt = now + RETRY_MS;
      await recorder.failed('complete', error);
    }
  }

  async #copy(chain: KeptChain): Promise<void> {
    const { context, recorder } = this.#run;
    await recorder.started();
    await context.auditKeys.refresh();
    const before = new Date(context.clock().getTime() - context.keptDays * DAY_MS);
    // First, so that a full backup location has room again.
    const kept = await pruneChains(context.place, chain.state, before);
    const places = openChain(context.place, chain.state.id);
    const { id, manifest, storedBytes } = await copyWholeCluster(context, places);
    const copies = Object.entries(chain.state.copies).filter(([each]) => kept.includes(each));
    await chain.change({ copies: { ...Object.fromEntries(copies), [id]: manifest.firstSegment } });
    await recorder.made(id, storedBytes);
  }

  async ship(): Promise<void> {
    const chain = this.#chain;
    if (chain === undefined) return;
    const { context, recorder } = this.#run;
    try {
      const until = await shipChanges(context, chain);
      const [oldest] = Object.keys(chain.state.copies).toSorted();
      await recorder.changesStored(until, oldest === undefined ? undefined : timeOfKey(oldest));
    } catch (error) {
      // Another chain begins with a complete copy.
      if (error instanceof ChainBroken) this.#chain = undefined;
      await recorder.failed('changes', error);
    }
  }
}
