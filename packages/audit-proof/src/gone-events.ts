import type { AuditBlock } from './audit-block.ts';
import type { ProofTools } from './proof-tools.ts';
import { monthOfId } from './id-month.ts';
import { LeafList } from './leaf-list.ts';
import type { NotedMonth } from './trail-notes.ts';

const DAY_MS = 86_400_000;
/** A month is treated as complete after a block that was sealed this long after its end. */
const SETTLED_MS = 2 * DAY_MS;

/** Position of the first event that cannot be verified. */
export interface ChainPlace {
  readonly sequence: number;
  readonly block: number;
}

interface GoneMonth extends ChainPlace {
  readonly name: string;
  readonly events: number;
  readonly digest: string;
  /** When the newest block with any of its events was sealed. */
  readonly sealedAt: string;
}

interface OpenMonth extends ChainPlace {
  readonly leaves: LeafList;
  sealedAt: string;
}

export interface ExpiredEvents {
  /** Number of events deleted at the end of their retention. */
  readonly expired: number;
  /**
   * Number of events that cannot be classified, because the check started in the middle of their month.
   */
  readonly undetermined: number;
  /** The first event that is missing without such a reason. */
  readonly missing: ChainPlace | null;
}

/**
 * Tracks deleted sealed events. A month counts as expired if a sealed event records its deletion
 * with the digest of exactly these events, and if its retention had ended by the times of the
 * blocks. Write access to the trail is therefore not enough to hide the deletion of a recent month.
 */
export class GoneEvents {
  readonly #createSha256: ProofTools['createSha256'];
  readonly #open = new Map<string, OpenMonth>();
  readonly #months: GoneMonth[] = [];
  /** Months up to this one may have started before the check. */
  readonly #partUntil: string;

  /** @param start the block before the first checked block */
  constructor(createSha256: ProofTools['createSha256'], start?: Pick<AuditBlock, 'sealedAt'>) {
    this.#createSha256 = createSha256;
    this.#partUntil = start?.sealedAt.slice(0, 7) ?? '';
  }

  add(id: string, leaf: Uint8Array, place: ChainPlace & Pick<AuditBlock, 'sealedAt'>): void {
    const name = monthOfId(id);
    const month = this.#open.get(name) ?? { ...place, leaves: new LeafList() };
    this.#open.set(name, month);
    month.leaves.add(id, leaf);
    if (place.sealedAt > month.sealedAt) month.sealedAt = place.sealedAt;
  }

  /** Closes months that ended long before a block, so that few months are kept in memory. */
  settle({ sealedAt }: Pick<AuditBlock, 'sealedAt'>): void {
    if (this.#open.size === 0) return;
    const settled = new Date(Date.parse(sealedAt) - SETTLED_MS).toISOString().slice(0, 7);
    for (const name of [...this.#open.keys()]) if (name < settled) this.#close(name);
  }

  /** @param deleted deletions recorded by sealed events */
  classify(deleted: readonly NotedMonth[], keptDays: number): ExpiredEvents {
    for (const name of [...this.#open.keys()]) this.#close(name);
    const {
      expired = [],
      undetermined = [],
      missing: unexcused = [],
    } = Object.groupBy(this.#months, (month) => {
      if (deleted.some((noted) => isExpiry(noted, month, keptDays))) return 'expired';
      return month.name <= this.#partUntil ? 'undetermined' : 'missing';
    });
    const [missing] = unexcused.toSorted((one, other) => one.sequence - other.sequence);
    return {
      expired: countOf(expired),
      undetermined: countOf(undetermined),
      missing: missing === undefined ? null : { sequence: missing.sequence, block: missing.block },
    };
  }

  #close(name: string): void {
    const month = this.#open.get(name);
    this.#open.delete(name);
    if (month === undefined) return;
    const { leaves, ...place } = month;
    this.#months.push({
      ...place,
      name,
      events: leaves.count,
      digest: leaves.digest(this.#createSha256),
    });
  }
}

const countOf = (months: readonly GoneMonth[]): number =>
  months.reduce((sum, { events }) => sum + events, 0);

function isExpiry(noted: NotedMonth, month: GoneMonth, keptDays: number): boolean {
  const keptMs = Date.parse(noted.sealedAt) - Date.parse(month.sealedAt);
  return (
    noted.digest === month.digest && noted.events === month.events && keptMs >= keptDays * DAY_MS
  );
}
