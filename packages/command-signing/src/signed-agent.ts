import { hash } from 'node:crypto';
import { z } from 'zod';
import { keyIdOf } from './key-trust.ts';
import {
  isSignature,
  signedBytes,
  signStatement,
  statementTypes,
  type StatementKey,
  type TrustedKey,
} from './signed-statement.ts';

/**
 * The agent is a single file. Its last line, a JavaScript comment, contains a signed statement over
 * all bytes before it, so that the file can be verified regardless of its source.
 */
const MARK = Buffer.from('\n//# deviceportal-release=');

const releaseSchema = z.object({
  name: z.literal('device-portal-agent'),
  version: z.string().regex(/^\d+\.\d+\.\d+([+-][\w.+-]+)?$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  /** Whether it can replace a newer agent. */
  allowsDowngrade: z.boolean(),
  releasedAt: z.iso.datetime(),
});
export type AgentRelease = Pick<
  z.infer<typeof releaseSchema>,
  'version' | 'allowsDowngrade' | 'releasedAt'
>;

const sealSchema = z.object({
  payload: z.string(),
  signature: z.base64url(),
  /** SPKI in DER. Accepted only if the reader trusts its ID. */
  publicKey: z.base64(),
});

/** Why a file cannot be installed as an agent. */
export type AgentFault = 'unsigned' | 'unknown-key' | 'wrong-signature' | 'changed';

export interface OpenedAgent {
  readonly release: AgentRelease;
  /** ID of the key that signed it. */
  readonly keyId: string;
}

/** Signs the program. An existing signature is replaced. */
export async function sealAgent(
  file: Uint8Array,
  release: AgentRelease,
  key: StatementKey & Pick<TrustedKey, 'publicKey'>,
): Promise<Buffer> {
  const { program } = split(file);
  const statement: z.infer<typeof releaseSchema> = {
    name: 'device-portal-agent',
    ...release,
    sha256: hash('sha256', program, 'hex'),
    bytes: program.byteLength,
  };
  const { payload, signatures } = await signStatement(statementTypes.agent, statement, key);
  const seal: z.infer<typeof sealSchema> = {
    payload,
    signature: signatures[0]?.signature ?? '',
    publicKey: Buffer.from(key.publicKey).toString('base64'),
  };
  const line = Buffer.from(JSON.stringify(seal)).toString('base64url');
  return Buffer.concat([program, MARK, Buffer.from(`${line}\n`)]);
}

/** Whether a file contains a signature, by any key. */
export const isSealedAgent = (file: Uint8Array): boolean => split(file).line !== null;

/** The statement of a trusted key over exactly these bytes. */
export function openAgent(
  file: Uint8Array,
  isTrusted: (keyId: string) => boolean,
): OpenedAgent | AgentFault {
  const { program, line } = split(file);
  if (line === null) return 'unsigned';
  const seal = readJson(sealSchema, Buffer.from(line, 'base64url').toString('utf8'));
  if (seal === undefined) return 'wrong-signature';
  const publicKey = Buffer.from(seal.publicKey, 'base64');
  const keyId = keyIdOf(publicKey);
  if (!isTrusted(keyId)) return 'unknown-key';
  const message = signedBytes(statementTypes.agent, seal.payload);
  if (!isSignature(publicKey, message, Buffer.from(seal.signature, 'base64url')))
    return 'wrong-signature';
  const release = readJson(releaseSchema, seal.payload);
  if (release === undefined) return 'wrong-signature';
  const isSame =
    release.bytes === program.byteLength && release.sha256 === hash('sha256', program, 'hex');
  return isSame ? { release, keyId } : 'changed';
}

function split(file: Uint8Array): { readonly program: Buffer; readonly line: string | null } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const at = bytes.lastIndexOf(MARK);
  const line = at < 0 ? '' : bytes.subarray(at + MARK.byteLength).toString('latin1');
  // Nothing can follow the statement.
  if (!/^[\w-]+\n$/.test(line)) return { program: bytes, line: null };
  return { program: bytes.subarray(0, at), line: line.trimEnd() };
}

function readJson<Value>(schema: z.ZodType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
