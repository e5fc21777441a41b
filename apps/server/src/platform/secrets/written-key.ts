import { z } from 'zod';
import { keyIdOf, type VerifyingKey } from './signing-key.ts';

/** A public key in a file outside the installation, such as a backup. */
export const writtenKeySchema = z.object({
  /** Ed25519, SPKI in DER. */
  publicKey: z.base64(),
  since: z.iso.datetime(),
  endorsement: z.object({ by: z.string(), signature: z.base64() }).optional(),
});
type WrittenKey = z.infer<typeof writtenKeySchema>;

export function toWrittenKey({ publicKey, since, endorsement }: VerifyingKey): WrittenKey {
  const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');
  return {
    publicKey: base64(publicKey),
    since: since.toISOString(),
    ...(endorsement && {
      endorsement: { by: endorsement.by, signature: base64(endorsement.signature) },
    }),
  };
}

export function fromWrittenKey({ endorsement, ...key }: WrittenKey): VerifyingKey {
  const publicKey = Buffer.from(key.publicKey, 'base64');
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    since: new Date(key.since),
    endorsement: endorsement && {
      by: endorsement.by,
      signature: Buffer.from(endorsement.signature, 'base64'),
    },
  };
}
