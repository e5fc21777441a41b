import type { AuditBlock } from './audit-block.ts';
import type { ProofTools } from './proof-tools.ts';
import { monthOfId } from './id-month.ts';
import { LeafList } from './leaf-list.ts';
import type { NotedMonth } from './trail-notes.ts';

const DAY_MS = 86_400_000;
/** After a block that was sealed so long after the end of a month, the month is taken to be complete. */
const SETTLED_MS = 2 * DAY_MS;

/** A place in the chain: of the first event that cannot be relied on. */
export interface ChainPlace {
  readonly sequence: number;
  readonly block: number;
}

interface GoneMonth extends ChainPlace {
  readonly name: string;
  readonly events: number;
  readonly digest: string;
  /** Of the newest block with one of its events. */
  readonly sealedAt: string;
}

interface OpenMonth extends ChainPlace {
  readonly leaves: LeafList;
  sealedAt: string;
}

export interface ExpiredEvents {
  /** Events that were deleted at the end of their retention. */
  readonly expired: number;
  /** Events that cannot be judged, because the check began in the middle of their month. */
  readonly unjudged: number;
  /** The first event that is gone without such a reason. */
  readonly missing: ChainPlace | null;
}

/**
 * Sealed events that are gone. A month counts as expired where a sealed event says that it was deleted, with the digest
 * of exactly these events, and where its retention had ended by the times of the blocks: whoever can write events into
 * the trail cannot have a recent month deleted unseen.
 */
export class GoneEvents {
  readonly #createSha256: ProofTools['createSha256'];
  readonly #open = new Map<string, OpenMonth>();
  readonly #months: GoneMonth[] = [];
  /** Months up to this one may have begun before the check. */
  readonly #partUntil: string;

  /** @param start the block before the first that is checked */
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

  /** Closes the months that ended well before a block: so that only few are held at a time. */
  settle({ sealedAt }: Pick<AuditBlock, 'sealedAt'>): void {
    if (this.#open.size === 0) return;
    const settled = new Date(Date.parse(sealedAt) - SETTLED_MS).toISOString().slice(0, 7);
    for (const name of [...this.#open.keys()]) if (name < settled) this.#close(name);
  }

  /** @param deleted what sealed events say was deleted */
  judge(deleted: readonly NotedMonth[], keptDays: number): ExpiredEvents {
    for (const name of [...this.#open.keys()]) this.#close(name);
    const {
      expired = [],
      unjudged = [],
      missing: unexcused = [],
    } = Object.groupBy(this.#months, (month) => {
      if (deleted.some((noted) => isExpiry(noted, month, keptDays))) return 'expired';
      return month.name <= this.#partUntil ? 'unjudged' : 'missing';
    });
    const [missing] = unexcused.toSorted((one, other) => one.sequence - other.sequence);
    return {
      expired: countOf(expired),
      unjudged: countOf(unjudged),
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
