import { z } from 'zod';
import {
  isSignature,
  signedBytes,
  statementTypes,
  type StatementKey,
  type TrustedKey,
} from '@deviceportal/command-signing/signed-statement';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * An in-toto statement (version 1) with SLSA provenance (version 1), limited to the verified
 * fields.
 */
const statementSchema = z.looseObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256 }) })).min(1),
  predicateType: z.literal('https://slsa.dev/provenance/v1'),
});

const envelopeSchema = z.object({
  payloadType: z.literal(statementTypes.provenance),
  payload: z.base64(),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.base64() })).min(1),
});

export interface BuildFacts {
  readonly version: string;
  /** The commit that was built: 40 hex digits. */
  readonly commit: string;
  /** SHA-256 of package-lock.json, which determines the dependencies. */
  readonly lockSha256: string;
  readonly node: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** SHA-256 in hex by file name. */
export type Digests = Readonly<Record<string, string>>;

/** A DSSE envelope (JSON) with the provenance of these files, signed with one key. */
export async function signProvenance(
  digests: Digests,
  facts: BuildFacts,
  key: StatementKey,
): Promise<string> {
  const payload = JSON.stringify(statementOf(digests, facts));
  const signature = await key.sign(signedBytes(statementTypes.provenance, payload));
  const envelope = {
    payloadType: statementTypes.provenance,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: key.keyId, sig: Buffer.from(signature).toString('base64') }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

function statementOf(digests: Digests, facts: BuildFacts): z.input<typeof statementSchema> {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(digests).map(([name, digest]) => ({
      name,
      digest: { sha256: digest },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:deviceportal:release:v1',
        externalParameters: { version: facts.version },
        internalParameters: { node: facts.node },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: facts.commit } },
          { name: 'package-lock.json', digest: { sha256: facts.lockSha256 } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:deviceportal:npm-run-release' },
        metadata: {
          startedOn: facts.startedAt.toISOString(),
          finishedOn: facts.finishedAt.toISOString(),
        },
      },
    },
  };
}

/**
 * The digests signed by a trusted key.
 * @throws Error if the envelope is malformed, or has no valid signature of a trusted key
 */
export function readProvenance(text: string, trusted: readonly TrustedKey[]): Digests {
  const { payload, signatures } = envelopeSchema.parse(JSON.parse(text));
  const body = Buffer.from(payload, 'base64');
  const message = signedBytes(statementTypes.provenance, body);
  const isTrusted = signatures.some(({ keyid, sig }) => {
    const key = trusted.find(({ keyId }) => keyId === keyid);
    return key !== undefined && isSignature(key.publicKey, message, Buffer.from(sig, 'base64'));
  });
  if (!isTrusted) throw new Error('The provenance is not signed by a trusted key.');
  const { subject } = statementSchema.parse(JSON.parse(body.toString('utf8')));
  return Object.fromEntries(subject.map(({ name, digest }) => [name, digest.sha256]));
}
