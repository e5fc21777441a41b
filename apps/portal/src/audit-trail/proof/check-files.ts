import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import { openProofWorker, type ProofWorker } from './open-proof-worker.ts';
import type { ProofResult } from './proof-messages.ts';

/** The result of comparing a file with the digest in the proof. */
export interface ComparedFile {
  readonly name: string;
  readonly state: 'same' | 'different' | 'not-signed';
}

export interface CheckedFiles {
  readonly report: ProofResult;
  /** Null if no export was selected. */
  readonly exported: ComparedFile | null;
  readonly manifest: ComparedFile | null;
  readonly trusted: TrustedKeys | null;
}

/** Keys whose signatures are accepted. */
export interface TrustedKeys {
  readonly keys: readonly AuditKey[];
  /** The file with the keys. Null for the keys that the installation publishes. */
  readonly file: string | null;
}

const PROOF = '.proof.jsonl';
const MANIFEST = '.manifest.json';
const KEYS_BYTES = 1_000_000;

export const isProof = (file: File): boolean => file.name.endsWith(PROOF);

/**
 * Verifies the proof among the files, and compares the export and the manifest with it. A file of
 * keys, such as a checkpoint, defines the trusted keys; without one, the keys of the installation
 * are used.
 */
export async function checkFiles(
  files: readonly File[],
  installationKeys: readonly AuditKey[] | null,
): Promise<CheckedFiles> {
  using worker = openProofWorker();
  const proof = files.find(isProof);
  if (proof === undefined) throw new Error('no proof file selected');
  const manifest = files.find((file) => file.name.endsWith(MANIFEST));
  const others = files.filter((file) => !isProof(file) && file !== manifest);
  const pinned = await findKeys(worker, others);
  const trusted = pinned?.trusted ?? (installationKeys && { keys: installationKeys, file: null });
  const trustedKeys = trusted?.keys ?? null;
  const report = await worker.ask({ kind: 'proof', file: proof, trustedKeys });
  const exported = others.find((file) => file !== pinned?.source);
  return {
    report,
    trusted,
    exported: await compare(worker, exported, report.manifest?.sha256 ?? null),
    manifest: await compare(worker, manifest, report.manifestSha256),
  };
}

async function findKeys(
  worker: ProofWorker,
  files: readonly File[],
): Promise<{ readonly source: File; readonly trusted: TrustedKeys } | null> {
  for (const source of files) {
    if (!source.name.endsWith('.json') || source.size > KEYS_BYTES) continue;
    const keys = await worker.ask({ kind: 'keys', text: await source.text() });
    if (keys !== null) return { source, trusted: { keys, file: source.name } };
  }
  return null;
}

async function compare(
  worker: ProofWorker,
  file: File | undefined,
  signed: string | null,
): Promise<ComparedFile | null> {
  if (file === undefined) return null;
  if (signed === null) return { name: file.name, state: 'not-signed' };
  const sha256 = await worker.ask({ kind: 'hash', file });
  return { name: file.name, state: sha256 === signed ? 'same' : 'different' };
}
