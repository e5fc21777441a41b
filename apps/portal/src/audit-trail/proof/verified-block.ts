import type { VerifiedBlock } from './proof-messages.ts';

const KEY = 'deviceportal.audit-block-seen';

/**
 * The newest block that this browser has verified, which serves as a witness outside the
 * installation.
 */
export function readVerifiedBlock(): VerifiedBlock | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<VerifiedBlock> | null;
    const { number, hash, seenAt } = kept ?? {};
    if (typeof number !== 'number' || typeof hash !== 'string' || typeof seenAt !== 'string') {
      return null;
    }
    return { number, hash, seenAt };
  } catch {
    return null;
  }
}

export function keepBlock(block: VerifiedBlock): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(block));
  } catch {
    // Storage is unavailable. The check itself is unaffected.
  }
}
