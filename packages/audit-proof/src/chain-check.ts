import { blockHash, GENESIS_HASH, type AuditBlock } from './audit-block.ts';
import { isSame, toHex, type Sha256 } from './hashing.ts';
import { leafHash, type RecordValues } from './audit-record.ts';
import { merkleRoot } from './merkle-tree.ts';

export type ChainFaultReason =
  /** An event is not what was sealed. */
  | 'changed'
  /** A sealed event, or a block, is gone. */
  | 'missing'
  /** A block does not follow from the one before. */
  | 'unlinked'
  /** A block is not what its hash says. */
  | 'resealed'
  /** No known key has signed the block. */
  | 'unsigned';

export interface ChainFault {
  /** Place in the trail of the first event that cannot be relied on. */
  readonly sequence: number;
  readonly block: number;
  readonly reason: ChainFaultReason;
}

/** An event as it is now; null where it is gone, `expired` where its time to be kept has ended. */
export type SealedRecord = RecordValues | 'expired' | null;

/** A block with what it was made of. */
export interface BlockContent {
  /** Hashes of its events as they were sealed. */
  readonly leaves: readonly Uint8Array[];
  readonly records: readonly SealedRecord[];
}

/** Goes along a chain, block after block; says the first place where it does not hold. */
export class ChainCheck {
  readonly #sha256: Sha256;
  #previous: Pick<AuditBlock, 'number' | 'hash' | 'sealedAt'>;
  #verified: number;
  #setBack = 0;

  /** @param start the block before the first that is checked, where not the whole chain is */
  constructor(sha256: Sha256, start?: AuditBlock) {
    this.#sha256 = sha256;
    this.#previous = start ?? { number: 0, hash: GENESIS_HASH, sealedAt: '' };
    this.#verified = start === undefined ? 0 : start.firstSequence + start.count - 1;
  }

  /** Sequence of the last event that holds. */
  get verified(): number {
    return this.#verified;
  }

  get head(): string {
    return this.#previous.hash;
  }

  /** How often a block was sealed before the one that it follows: the clock of a server was set back. */
  get setBack(): number {
    return this.#setBack;
  }

  /** @param content left out where the links alone are looked at */
  add(block: AuditBlock, content?: BlockContent): ChainFault | null {
    const link = this.#linkFault(block);
    if (link !== null) return this.#fault(block, link);
    if (content !== undefined) {
      const fault = this.#contentFault(block, content);
      if (fault !== null) return fault;
    }
    if (block.sealedAt < this.#previous.sealedAt) this.#setBack += 1;
    this.#previous = block;
    this.#verified = block.firstSequence + block.count - 1;
    return null;
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
      const reason = this.#recordFault(record, leaves[index]!);
      if (reason === null) continue;
      this.#verified += index;
      return this.#fault(block, reason);
    }
    const root = toHex(merkleRoot(this.#sha256, leaves));
    return root === block.root ? null : this.#fault(block, 'resealed');
  }

  #recordFault(record: SealedRecord, leaf: Uint8Array): 'missing' | 'changed' | null {
    if (record === null) return 'missing';
    if (record === 'expired') return null;
    return isSame(leafHash(this.#sha256, record), leaf) ? null : 'changed';
  }

  #fault(block: AuditBlock, reason: ChainFaultReason): ChainFault {
    return { sequence: this.#verified + 1, block: block.number, reason };
  }
}
