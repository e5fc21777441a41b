import { randomBytes } from 'node:crypto';
import type { TextVault } from '../output/text-vault.ts';

/** Random text without which digests of secret parameters cannot be guessed from the database. */
export interface Blinding {
  readonly text: string;
  readonly sealed: string;
}

export function newBlinding(vault: Pick<TextVault, 'sealText'>, ownerId: string): Blinding {
  const text = randomBytes(32).toString('base64url');
  return { text, sealed: sealBlinding(vault, ownerId, text) };
}

const sealBlinding = (vault: Pick<TextVault, 'sealText'>, ownerId: string, text: string): string =>
  vault.sealText(ownerOf(ownerId), text);

/** @throws if it was changed or belongs to another run or schedule */
export const openBlinding = (
  vault: Pick<TextVault, 'openText'>,
  ownerId: string,
  sealed: string,
): string => vault.openText(ownerOf(ownerId), sealed);

/**
 * Null if it is already encrypted with the current key.
 * @throws as `openBlinding`
 */
export const resealBlinding = (
  vault: Pick<TextVault, 'resealText'>,
  ownerId: string,
  sealed: string,
): string | null => vault.resealText(ownerOf(ownerId), sealed);

const ownerOf = (id: string): string => `${id}/$blinding`;
