import type { AuditBlock, AuditKey } from '@deviceportal/audit-proof/audit-block';
import { ChainCheck, type ChainFault } from '@deviceportal/audit-proof/chain-check';
import { fromBase64Url } from '@deviceportal/audit-proof/hashing';
import { readBlocks, type SealedBlock } from '../data/sealing/block-queries.ts';
import { findQueuedArchives } from '../data/sealing/unsealed-event-queries.ts';
import { countUnsealed, type UnsealedEvents } from '../sealing/count-unsealed.ts';
import { isSignedBy, proofTools } from '../export/proof-tools.ts';
import { readRecords, type FoundRecords, type RecordSources } from '../archive/read-records.ts';

export interface AuditVerification extends UnsealedEvents {
  /** Verified events: unchanged, or deleted after their retention. */
  readonly verified: number;
  /** Events among them that were read from files of archived months. */
  readonly archived: number;
  /** Events among them that were deleted after their retention, as recorded in sealed events. */
  readonly expired: number;
  /** Files of archived months that are not recorded in a sealed event. */
  readonly unnamedFiles: readonly string[];
  readonly blocks: number;
  /** The first fault of the chain. */
  readonly broken: ChainFault | null;
  /** Hash of the newest verified block, hexadecimal: stored elsewhere, it also proves that the end was not truncated. */
  readonly head: string;
  /** Blocks that were sealed after a clock was set back. */
  readonly setBack: number;
  /** Keys that signed the blocks. */
  readonly keyIds: readonly string[];
  /** Whether the given block is in the chain; null without a given block. */
  readonly holdsKept: boolean | null;
}

/** Sources of events, and trusted keys. */
export interface VerifySources extends RecordSources {
  /**
   * Keys that are known from outside the database; the first with an ID is used. The table of keys is not trusted: write
   * access to it is enough to add a key and to sign the whole chain again.
   */
  readonly trustedKeys: readonly AuditKey[];
  /** Minimum retention of events: an event that was deleted earlier is missing. */
  readonly keptDays: number;
}

export interface VerifyOptions {
  /** A block that was stored elsewhere. */
  readonly kept?: Pick<AuditBlock, 'number' | 'hash'> | undefined;
  readonly onProgress?: (verified: number) => void;
}

const EVENTS_AT_ONCE = 4_000;
const BLOCKS_AT_ONCE = 200;

/** Verifies the whole chain from the first block on, including archived months. */
export async function verifyAuditTrail(
  sources: VerifySources,
  options: VerifyOptions = {},
): Promise<AuditVerification> {
  const walk = new ChainWalk(sources, options);
  const chain = await walk.toEnd();
  return { ...chain, ...(await countUnsealed(sources.database, walk.notes)) };
}

class ChainWalk {
  readonly #sources: VerifySources;
  readonly #options: VerifyOptions;
  readonly #check = new ChainCheck(proofTools);
  readonly #used = new Set<string>();
  readonly #archived = new Map<string, number>();
  #blocks = 0;
  #holdsKept = false;

  constructor(sources: VerifySources, options: VerifyOptions) {
    this.#sources = sources;
    this.#options = options;
  }

  get notes(): ChainCheck['notes'] {
    return this.#check.notes;
  }

  async toEnd(): Promise<Omit<AuditVerification, keyof UnsealedEvents>> {
    let broken: ChainFault | null = null;
    while (broken === null) {
      const blocks = await readBlocks(this.#sources.database.orm, this.#blocks, BLOCKS_AT_ONCE);
      if (blocks.length === 0) break;
      broken = await this.#checkAll(blocks);
      this.#options.onProgress?.(this.#check.verified);
    }
    // After a fault, the recorded files are unknown.
    const unnamedFiles = broken === null ? await this.#unnamedFiles() : [];
    return { ...this.#result(broken), unnamedFiles };
  }

  #result(
    broken: ChainFault | null,
  ): Omit<AuditVerification, keyof UnsealedEvents | 'unnamedFiles'> {
    const { head, setBack } = this.#check;
    const end = this.#check.end(this.#sources.keptDays, this.#sources.trustedKeys);
    // After a fault, it is unknown whether earlier events were deleted after their retention.
    const fault = broken ?? end.fault;
    return {
      verified: broken === null ? end.verified : this.#check.verified,
      expired: broken === null ? end.expired : 0,
      archived: [...this.#archived.values()].reduce((sum, count) => sum + count, 0),
      head,
      setBack,
      broken: fault,
      blocks: broken === null && fault !== null ? fault.block - 1 : this.#blocks,
      keyIds: [...this.#used],
      holdsKept: this.#options.kept === undefined ? null : this.#holdsKept,
    };
  }

  /** The event that records a file may still be queued. */
  async #unnamedFiles(): Promise<string[]> {
    const files = [...this.#archived.keys()].filter((file) => !this.notes.archived.has(file));
    if (files.length === 0) return [];
    const queued = await findQueuedArchives(this.#sources.database.orm);
    return files.filter((file) => !queued.has(file));
  }

  async #checkAll(blocks: readonly SealedBlock[]): Promise<ChainFault | null> {
    for (const part of inParts(blocks)) {
      const ids = part.flatMap(({ eventIds }) => eventIds);
      const found = await readRecords(this.#sources, ids);
      for (const block of part) {
        const fault = this.#checkOne(block, found);
        if (fault !== null) return fault;
      }
      for (const [file, count] of found.archived) {
        this.#archived.set(file, (this.#archived.get(file) ?? 0) + count);
      }
    }
    return null;
  }

  #checkOne(block: SealedBlock, found: Pick<FoundRecords, 'of'>): ChainFault | null {
    // Checked before the content: events of a block without a trusted signature are not verified.
    if (!this.#isSigned(block)) {
      return { sequence: this.#check.verified + 1, block: block.number, reason: 'unsigned' };
    }
    const { leaves, eventIds } = block;
    const content = { leaves, records: eventIds.map(found.of) };
    const fault = this.#check.add(block, this.#sources.trustedKeys, content);
    if (fault !== null) return fault;
    this.#used.add(block.keyId);
    this.#blocks = block.number;
    const { kept } = this.#options;
    if (kept?.number === block.number) this.#holdsKept = kept.hash === block.hash;
    return null;
  }

  #isSigned({ keyId, signature, hash }: SealedBlock): boolean {
    const key = this.#sources.trustedKeys.find(({ id }) => id === keyId);
    if (key === undefined) return false;
    const [publicKey, signed] = [fromBase64Url(key.publicKey), fromBase64Url(signature)];
    return isSignedBy(publicKey, signed, Buffer.from(hash, 'hex'));
  }
}

/** Groups of blocks whose events are read together. */
function* inParts(blocks: readonly SealedBlock[]): Generator<SealedBlock[]> {
  let part: SealedBlock[] = [];
  let events = 0;
  for (const block of blocks) {
    if (part.length > 0 && events + block.eventIds.length > EVENTS_AT_ONCE) {
      yield part;
      part = [];
      events = 0;
    }
    part.push(block);
    events += block.eventIds.length;
  }
  if (part.length > 0) yield part;
}
