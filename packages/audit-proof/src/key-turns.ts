import type { AuditBlock, AuditKey } from './audit-block.ts';

/** Public keys that sealed events announced. */
export type AnnouncedKeys = ReadonlySet<string>;

/**
 * Tracks which key can sign next in a chain. A key starts after the previous key sealed an event
 * that announces it, and cannot sign after the next key has started. A stolen retired or future key
 * therefore cannot seal blocks.
 */
export class KeyTurns {
  readonly #retired = new Set<string>();
  #current: string | null;

  /** @param start the block before the first checked block */
  constructor(start?: Pick<AuditBlock, 'keyId'>) {
    this.#current = start?.keyId ?? null;
  }

  /**
   * Adds the next block; false if its key cannot sign there. Does not check trust in the key or the
   * signature.
   *
   * @param announced null if not all events before the block were checked; an endorsement by the
   * previous key is then sufficient
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

  /**
   * A key without an endorsement is trusted directly: the first key, and the first key after a
   * restore.
   */
  #mayBegin({ publicKey, endorsement }: AuditKey, announced: AnnouncedKeys | null): boolean {
    if (endorsement === undefined) return true;
    if (announced !== null) return announced.has(publicKey);
    return endorsement.by === this.#current;
  }
}

/** Whether a block is after the last block that a retired key is known to have sealed. */
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
