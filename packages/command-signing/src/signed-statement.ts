import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';

/**
 * Statements are signed with the pre-authentication encoding of DSSE (Dead Simple Signing Envelope,
 * version 1) over their type and exact bytes. A signature of one type is therefore never valid for
 * another type, and nothing is parsed before it is verified. A statement can have several
 * signatures; a reader ignores those of keys that it does not trust.
 */
export type { SignedStatement };

/** Types of statements. A new format of a statement gets a new type. */
export const statementTypes = {
  run: 'application/vnd.deviceportal.run.v1+json',
  schedule: 'application/vnd.deviceportal.schedule.v1+json',
  rolloutPlan: 'application/vnd.deviceportal.rollout-plan.v1+json',
  rolloutStep: 'application/vnd.deviceportal.rollout-step.v1+json',
  document: 'application/vnd.deviceportal.document.v1+json',
  keySet: 'application/vnd.deviceportal.key-set.v1+json',
  terminal: 'application/vnd.deviceportal.terminal.v1+json',
  fileRequest: 'application/vnd.deviceportal.file-request.v1+json',
  webPage: 'application/vnd.deviceportal.web-page.v1+json',
  agent: 'application/vnd.deviceportal.agent-release.v1+json',
  release: 'application/vnd.deviceportal.release.v1',
  /** An in-toto statement: https://in-toto.io/Statement/v1. */
  provenance: 'application/vnd.in-toto+json',
} as const;
export type StatementType = (typeof statementTypes)[keyof typeof statementTypes];

/** Ed25519 private key with its ID. */
export interface StatementKey {
  readonly keyId: string;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** A trusted public key: SPKI in DER (RFC 8410). */
export interface TrustedKey {
  readonly keyId: string;
  readonly publicKey: Uint8Array;
}

/** `DSSEv1 <length of type> <type> <length of payload> <payload>`, lengths in bytes. */
export function signedBytes(type: StatementType, payload: string | Uint8Array): Uint8Array {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const head = `DSSEv1 ${type.length} ${type} ${body.byteLength} `;
  return Buffer.concat([Buffer.from(head), body]);
}

export async function signStatement(
  type: StatementType,
  statement: object,
  key: StatementKey,
): Promise<SignedStatement> {
  const payload = JSON.stringify(statement);
  const signature = await key.sign(signedBytes(type, payload));
  return {
    payload,
    signatures: [{ keyId: key.keyId, signature: Buffer.from(signature).toString('base64url') }],
  };
}

/** `unknown-key`: no signature is by a trusted key. */
export type StatementFault = 'unknown-key' | 'wrong-signature';

/** Null if a trusted key signed exactly this statement. */
export function faultOfStatement(
  type: StatementType,
  { payload, signatures }: SignedStatement,
  trusted: readonly TrustedKey[],
): StatementFault | null {
  let fault: StatementFault = 'unknown-key';
  for (const { keyId, signature } of signatures) {
    const key = trusted.find((one) => one.keyId === keyId);
    if (key === undefined) continue;
    const message = signedBytes(type, payload);
    if (isSignature(key.publicKey, message, Buffer.from(signature, 'base64url'))) return null;
    fault = 'wrong-signature';
  }
  return fault;
}

/** The trusted key that signed exactly this statement; undefined if there is none. */
export function findSigner(
  type: StatementType,
  { payload, signatures }: SignedStatement,
  trusted: readonly TrustedKey[],
): TrustedKey | undefined {
  const message = signedBytes(type, payload);
  return trusted.find((key) =>
    signatures.some(
      ({ keyId, signature }) =>
        keyId === key.keyId &&
        isSignature(key.publicKey, message, Buffer.from(signature, 'base64url')),
    ),
  );
}

/** @param publicKey SPKI in DER; only Ed25519 keys are accepted */
export function isSignature(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key: KeyObject = createPublicKey({
      key: Buffer.from(publicKey),
      format: 'der',
      type: 'spki',
    });
    return key.asymmetricKeyType === 'ed25519' && verify(null, message, key, signature);
  } catch {
    return false;
  }
}
