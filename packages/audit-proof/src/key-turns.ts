import type { AuditBlock, AuditKey } from './audit-block.ts';

/** Public keys that sealed events have announced. */
export type AnnouncedKeys = ReadonlySet<string>;

/**
 * Whose turn it is to sign along a chain. A key begins after an event that the key before it has sealed announces it,
 * and never signs again once another one has begun: who steals a retired key, or the next one, can seal nothing with it.
 */
export class KeyTurns {
  readonly #retired = new Set<string>();
  #current: string | null;

  /** @param start the block before the first that is checked */
  constructor(start?: Pick<AuditBlock, 'keyId'>) {
    this.#current = start?.keyId ?? null;
  }

  /**
   * Takes the next block of a chain; false where its key may not sign there. Whether the key is trusted at all, and has
   * signed, is judged elsewhere.
   *
   * @param announced null where not all events before the block were seen: an endorsement by the key before counts then
   */
  take(
    block: Pick<AuditBlock, 'number' | 'hash' | 'keyId'>,
    keys: readonly AuditKey[],
    announced: AnnouncedKeys | null,
  ): boolean {
    const key = keys.find(({ id }) => id === block.keyId);
    if (key === undefined) return true;
    if (isAfterItsLast(block, key)) return false;
    if (block.keyId === this.#current) return true;
    if (this.#retired.has(block.keyId) || !this.#mayBegin(key, announced)) return false;
    if (this.#current !== null) this.#retired.add(this.#current);
    this.#current = block.keyId;
    return true;
  }

  /** A key that no other one vouches for is trusted by itself: the first one, and the first after a restore. */
  #mayBegin({ publicKey, endorsement }: AuditKey, announced: AnnouncedKeys | null): boolean {
    if (endorsement === undefined) return true;
    if (announced !== null) return announced.has(publicKey);
    return endorsement.by === this.#current;
  }
}

/** Whether a block is beyond what a retired key is known to have sealed. */
export function isAfterItsLast(
  { number, hash }: Pick<AuditBlock, 'number' | 'hash'>,
  { lastBlock }: AuditKey,
): boolean {
  if (lastBlock === undefined || number < lastBlock.number) return false;
  return number > lastBlock.number || hash !== lastBlock.hash;
}

/** Whether a chain ends before a block that a retired key is known to have sealed. */
export const isCutOff = (
  { number }: Pick<AuditBlock, 'number'>,
  keys: readonly AuditKey[],
): boolean => keys.some(({ lastBlock }) => lastBlock !== undefined && lastBlock.number > number);
