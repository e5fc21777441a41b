import { sql } from 'drizzle-orm';
import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import {
  ChainCheck,
  type ChainFault,
  type SealedRecord,
} from '@deviceportal/audit-proof/chain-check';
import type { Database } from '../platform/database/database.ts';
import { readBlocks, type SealedBlock } from './audit-block-store.ts';
import { auditKeyId } from './audit-signer.ts';
import { isSignedBy, proofTools } from './proof-tools.ts';
import { readRecords, type RecordSources } from './cold/read-records.ts';

export interface AuditVerification {
  /** Sealed events that were found to be as they were written. */
  readonly verified: number;
  readonly blocks: number;
  /** The first place where the chain does not hold. */
  readonly broken: ChainFault | null;
  /** Events that are neither sealed nor wait for it: written around the trigger, or their seal was removed. */
  readonly strays: number;
  /** Hash of the newest verified block, hexadecimal: kept elsewhere, it also proves that none was cut off the end. */
  readonly head: string;
  /** Blocks whose server's clock had been set back. */
  readonly setBack: number;
  /** Whose signatures the blocks carry. */
  readonly keyIds: readonly string[];
  /** Whether the block that was kept elsewhere is in the chain; null where none was given. */
  readonly holdsKept: boolean | null;
}

/** Where the events are, and whose seal counts. */
export interface VerifySources extends RecordSources {
  /**
   * Raw Ed25519 public keys that are known from outside the database. Its own table of keys does not count: a person
   * who can write there can add a key and sign the whole chain again.
   */
  readonly trustedKeys: readonly Uint8Array[];
}

export interface VerifyOptions {
  /** A block that was kept elsewhere. */
  readonly kept?: Pick<AuditBlock, 'number' | 'hash'> | undefined;
  readonly onProgress?: (verified: number) => void;
}

const EVENTS_AT_ONCE = 4_000;
const BLOCKS_AT_ONCE = 200;

/** Walks the chain from the first block on and recomputes every hash. Reads the whole trail, cold months too. */
export async function verifyAuditTrail(
  sources: VerifySources,
  options: VerifyOptions = {},
): Promise<AuditVerification> {
  const { database } = sources;
  const walk = new ChainWalk(sources, options);
  const chain = await walk.toEnd();
  return { ...chain, strays: await countStrays(database) };
}

class ChainWalk {
  readonly #sources: RecordSources;
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #options: VerifyOptions;
  readonly #check = new ChainCheck(proofTools.sha256);
  readonly #used = new Set<string>();
  #blocks = 0;
  #holdsKept = false;

  constructor(sources: VerifySources, options: VerifyOptions) {
    this.#sources = sources;
    this.#keys = new Map(sources.trustedKeys.map((key) => [auditKeyId(key), key]));
    this.#options = options;
  }

  async toEnd(): Promise<Omit<AuditVerification, 'strays'>> {
    let broken: ChainFault | null = null;
    while (broken === null) {
      const blocks = await readBlocks(this.#sources.database.orm, this.#blocks, BLOCKS_AT_ONCE);
      if (blocks.length === 0) break;
      broken = await this.#checkAll(blocks);
      this.#options.onProgress?.(this.#check.verified);
    }
    const { verified, head, setBack } = this.#check;
    return {
      verified,
      head,
      setBack,
      broken,
      blocks: this.#blocks,
      keyIds: [...this.#used],
      holdsKept: this.#options.kept === undefined ? null : this.#holdsKept,
    };
  }

  async #checkAll(blocks: readonly SealedBlock[]): Promise<ChainFault | null> {
    for (const part of inParts(blocks)) {
      const ids = part.flatMap(({ eventIds }) => eventIds);
      const byId = await readRecords(this.#sources, ids);
      for (const block of part) {
        const fault = this.#checkOne(block, byId);
        if (fault !== null) return fault;
      }
    }
    return null;
  }

  #checkOne(block: SealedBlock, byId: ReadonlyMap<string, SealedRecord>): ChainFault | null {
    // Before the content: the events of a block without a known signature do not count as verified.
    if (!this.#isSigned(block)) {
      return { sequence: this.#check.verified + 1, block: block.number, reason: 'unsigned' };
    }
    const { leaves, eventIds } = block;
    const records = eventIds.map((id) => byId.get(id) ?? null);
    const fault = this.#check.add(block, { leaves, records });
    if (fault !== null) return fault;
    this.#used.add(block.keyId);
    this.#blocks = block.number;
    const { kept } = this.#options;
    if (kept?.number === block.number) this.#holdsKept = kept.hash === block.hash;
    return null;
  }

  #isSigned({ keyId, signature, hash }: SealedBlock): boolean {
    const key = this.#keys.get(keyId);
    if (key === undefined) return false;
    return isSignedBy(key, Buffer.from(signature, 'base64url'), Buffer.from(hash, 'hex'));
  }
}

/** Blocks together as long as their events are not too many to be read at once. */
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

/** One statement sees one moment: an event that is being sealed right now stands in one of the two. */
async function countStrays({ orm }: Database): Promise<number> {
  const { rows } = await orm.execute(sql`
    with known as materialized (
      select unnest(event_ids) as id from audit_block
      union all select event_id from audit_unsealed union all select unnest(further) from audit_unsealed)
    select count(*)::float8 as strays from audit_event e
    where not exists (select from known where known.id = e.id)`);
  return (rows[0] as { strays: number }).strays;
}
