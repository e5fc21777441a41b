import { fromBase64Url } from '@deviceportal/audit-proof/hashing';
import { StartError } from '../../platform/process/start-error.ts';
import type { AuditCheckpoint } from '../sealing/read-checkpoint.ts';

const KEY_BYTES = 32;

/**
 * Raw public keys that the operator specified: the keys of the checkpoint, and a list in the format of `npm run admin --
 * keys`.
 *
 * @throws StartError if one is invalid
 */
export function pinnedKeys(
  checkpoint: AuditCheckpoint | undefined,
  named: string | undefined,
): readonly Uint8Array[] {
  const texts = named === undefined ? [] : named.split(',').map((text) => text.trim());
  return [
    ...(checkpoint?.keys ?? []).map(({ publicKey }) => fromBase64Url(publicKey)),
    ...texts.map((text) => {
      const key = /^[\w-]+$/.test(text) ? fromBase64Url(text) : new Uint8Array();
      if (key.byteLength !== KEY_BYTES) {
        throw new StartError(`"${text}" is not a public key of an audit trail.`);
      }
      return key;
    }),
  ];
}
