import type { KeptBlock } from './proof-messages.ts';

const KEY = 'deviceportal.audit-block-seen';

/**
 * The newest block that this browser has verified, which serves as a witness outside the
 * installation.
 */
export function readKeptBlock(): KeptBlock | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<KeptBlock> | null;
    const { number, hash, seenAt } = kept ?? {};
    if (typeof number !== 'number' || typeof hash !== 'string' || typeof seenAt !== 'string') {
      return null;
    }
    return { number, hash, seenAt };
  } catch {
    return null;
  }
}

export function keepBlock(block: KeptBlock): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(block));
  } catch {
    // Storage is unavailable. The check itself is unaffected.
  }
}
