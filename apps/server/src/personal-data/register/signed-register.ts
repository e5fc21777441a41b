import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { StartError } from '../../platform/process/start-error.ts';
import { followEndorsements } from '../../platform/secrets/follow-endorsements.ts';
import type { VerifyingKey } from '../../platform/secrets/signing-key.ts';
import type { SigningKeyRing } from '../../platform/secrets/signing-key-ring.ts';
import {
  fromWrittenKey,
  toWrittenKey,
  writtenKeySchema,
} from '../../platform/secrets/written-key.ts';
import { erasureRegisterSchema, type ErasureRegister } from './erasure-register.ts';

const VERSION = 2;

const fileSchema = erasureRegisterSchema.extend({
  version: z.literal(VERSION),
  /** Keys of the audit trail, whose endorsements connect the keys of earlier backups with the signing key. */
  auditKeys: z.array(writtenKeySchema),
  signature: z.object({ by: z.string(), value: z.base64() }),
});

/** A register with the signature of its installation. */
export interface SignedRegister {
  readonly register: ErasureRegister;
  /** ID of the key that signed it. */
  readonly signedBy: string;
  /** @throws StartError unless it was signed by a trusted key, or by one that a trusted key endorsed */
  requireTrusted(isTrusted: (key: VerifyingKey) => boolean): void;
}

/** The content of a register file, signed with the key that seals the audit trail. */
export async function signRegister(
  register: ErasureRegister,
  ring: SigningKeyRing,
): Promise<Buffer> {
  const { current } = ring;
  const value = Buffer.from(await current.sign(signedBytes(register))).toString('base64');
  const content: z.infer<typeof fileSchema> = {
    version: VERSION,
    ...register,
    auditKeys: ring.known.map(toWrittenKey),
    signature: { by: current.keyId, value },
  };
  return Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
}

/** @throws StartError if the file is empty, truncated, or has another format */
export function parseRegister(content: Uint8Array, place: string): SignedRegister {
  const { version: _version, auditKeys, signature, ...register } = parseFile(content, place);
  const keys = auditKeys.map(fromWrittenKey);
  return {
    register,
    signedBy: signature.by,
    requireTrusted(isTrusted) {
      const signer = followEndorsements('audit', keys, isTrusted).find(
        ({ keyId }) => keyId === signature.by,
      );
      if (signer === undefined)
        throw new StartError(
          `${place} is the register of erased people of another installation: no key of this audit trail signed it.`,
        );
      const key = createPublicKey({
        ...{ key: Buffer.from(signer.publicKey), format: 'der', type: 'spki' },
      });
      if (!verify(null, signedBytes(register), key, Buffer.from(signature.value, 'base64')))
        throw new StartError(
          `${place} was changed after it was signed. Replace it with the newest copy of this register.`,
        );
    },
  };
}

function parseFile(content: Uint8Array, place: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(Buffer.from(content).toString('utf8')));
  } catch (error) {
    throw new StartError(
      `${place} is not a complete register of erased people. Replace it with the newest copy of this register.`,
      { cause: error },
    );
  }
}

function signedBytes({ users, customers, keys }: ErasureRegister): Uint8Array {
  const content = {
    users: users.map(({ id, at }) => ({ id, at })),
    customers: customers.map(({ id, at }) => ({ id, at })),
    keys: keys.map(({ id, at, fingerprint }) => ({ id, at, fingerprint })),
  };
  return Buffer.from(`device portal register of erased people\n${JSON.stringify(content)}\n`);
}
