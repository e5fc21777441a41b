import { blockHash, GENESIS_HASH, type AuditBlock, type AuditKey } from './audit-block.ts';
import type { ProofTools } from './proof-tools.ts';
import { GoneEvents, type ChainPlace } from './gone-events.ts';
import { isSame, toHex, type Sha256 } from './hashing.ts';
import { leafHash, type RecordValues } from './audit-record.ts';
import { isCutOff, KeyTurns } from './key-turns.ts';
import { merkleRoot } from './merkle-tree.ts';
import { TrailNotes } from './trail-notes.ts';

export type ChainFaultReason =
  /** An event differs from the sealed one. */
  | 'changed'
  /** A sealed event or a block is missing. */
  | 'missing'
  /** A block does not link to the previous block. */
  | 'unlinked'
  /** A block does not match its hash. */
  | 'resealed'
  /** The block is not signed by a known key. */
  | 'unsigned'
  /** The block is signed by a known key that was retired or not yet announced. */
  | 'out-of-turn';

export interface ChainFault {
  /** Sequence number of the first event that cannot be verified. */
  readonly sequence: number;
  readonly block: number;
  readonly reason: ChainFaultReason;
}

/** The current event, or the ID of a deleted one. */
export type SealedRecord = RecordValues | GoneRecord;

export interface GoneRecord {
  readonly gone: string;
}

/** A block with its content. */
export interface BlockContent {
  /** Hashes of its events as sealed. */
  readonly leaves: readonly Uint8Array[];
  readonly records: readonly SealedRecord[];
}

export interface ChainEnd {
  readonly fault: ChainFault | null;
  /** Sequence number of the last verified event. */
  readonly verified: number;
  /** Number of events deleted at the end of their retention. */
  readonly expired: number;
  /**
   * Number of deleted events that cannot be classified, because the check started in the middle of
   * their month.
   */
  readonly undetermined: number;
}

/**
 * Verifies a chain block by block and reports the first fault. Deleted events are classified at the
 * end, by what later events record about them.
 */
export class ChainCheck {
  readonly #sha256: Sha256;
  readonly #gone: GoneEvents;
  readonly #notes = new TrailNotes();
  readonly #turns: KeyTurns;
  /** Whether all events so far were checked. */
  #isWhole: boolean;
  #previous: Pick<AuditBlock, 'number' | 'hash' | 'sealedAt'>;
  #verified: number;
  #setBack = 0;

  /**
   * @param start the block before the first checked block, if the check does not start at the
   * beginning
   */
  constructor(tools: Pick<ProofTools, 'sha256' | 'createSha256'>, start?: AuditBlock) {
    this.#sha256 = tools.sha256;
    this.#gone = new GoneEvents(tools.createSha256, start);
    this.#turns = new KeyTurns(start);
    this.#isWhole = start === undefined;
    this.#previous = start ?? { number: 0, hash: GENESIS_HASH, sealedAt: '' };
    this.#verified = start === undefined ? 0 : start.firstSequence + start.count - 1;
  }

  /** Sequence number of the last verified event. */
  get verified(): number {
    return this.#verified;
  }

  get head(): string {
    return this.#previous.hash;
  }

  /**
   * How often a block has an earlier time than the previous block, because the clock of a server
   * was set back.
   */
  get setBack(): number {
    return this.#setBack;
  }

  /** Records about the trail in verified events. */
  get notes(): TrailNotes {
    return this.#notes;
  }

  /**
   * The result after the last block.
   *
   * @param keptDays minimum retention of events in days
   * @param keys trusted keys
   */
  end(keptDays: number, keys: readonly AuditKey[]): ChainEnd {
    const classified = this.#gone.classify(this.#notes.deleted, keptDays);
    const { expired, undetermined } = classified;
    const missing = classified.missing ?? (isCutOff(this.#previous, keys) ? this.#next : null);
    return {
      expired,
      undetermined,
      fault: missing === null ? null : { ...missing, reason: 'missing' },
      verified: missing === null ? this.#verified : missing.sequence - 1,
    };
  }

  /**
   * @param keys trusted keys
   * @param content omitted to check only the links
   */
  add(block: AuditBlock, keys: readonly AuditKey[], content?: BlockContent): ChainFault | null {
    const link = this.#linkFault(block) ?? this.#turnFault(block, keys);
    if (link !== null) return this.#fault(block, link);
    if (content === undefined) this.#isWhole = false;
    if (content !== undefined) {
      const fault = this.#contentFault(block, content);
      if (fault !== null) return fault;
    }
    if (block.sealedAt < this.#previous.sealedAt) this.#setBack += 1;
    this.#gone.settle(block);
    this.#previous = block;
    this.#verified = block.firstSequence + block.count - 1;
    return null;
  }

  get #next(): ChainPlace {
    return { sequence: this.#verified + 1, block: this.#previous.number + 1 };
  }

  #turnFault(block: AuditBlock, keys: readonly AuditKey[]): ChainFaultReason | null {
    const announced = this.#isWhole ? this.#notes.announced : null;
    return this.#turns.take(block, keys, announced) ? null : 'out-of-turn';
  }

  #linkFault(block: AuditBlock): ChainFaultReason | null {
    if (block.number !== this.#previous.number + 1) return 'missing';
    if (block.firstSequence !== this.#verified + 1) return 'missing';
    if (block.previousHash !== this.#previous.hash) return 'unlinked';
    return blockHash(this.#sha256, block) === block.hash ? null : 'resealed';
  }

  #contentFault(block: AuditBlock, { leaves, records }: BlockContent): ChainFault | null {
    if (leaves.length !== block.count || records.length !== block.count) {
      return this.#fault(block, 'missing');
    }
    for (const [index, record] of records.entries()) {
      if ('gone' in record || isSame(leafHash(this.#sha256, record), leaves[index]!)) continue;
      this.#verified += index;
      return this.#fault(block, 'changed');
    }
    const root = toHex(merkleRoot(this.#sha256, leaves));
    if (root !== block.root) return this.#fault(block, 'resealed');
    this.#take(block, { leaves, records });
    return null;
  }

  #take(block: AuditBlock, { leaves, records }: BlockContent): void {
    for (const [index, record] of records.entries()) {
      const sequence = block.firstSequence + index;
      if (!('gone' in record)) this.#notes.add(record, block);
      else {
        this.#isWhole = false;
        const { number, sealedAt } = block;
        this.#gone.add(record.gone, leaves[index]!, { sequence, block: number, sealedAt });
      }
    }
  }

  #fault(block: AuditBlock, reason: ChainFaultReason): ChainFault {
    return { sequence: this.#verified + 1, block: block.number, reason };
  }
}
