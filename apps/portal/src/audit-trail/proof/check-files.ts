import { openProofWorker } from './open-proof-worker.ts';
import type { ProofResult } from './proof-messages.ts';

export interface CheckedFiles {
  readonly report: ProofResult;
  /** Whether the file that was handed over is the one that was exported; null where it was not given. */
  readonly isExported: boolean | null;
  readonly fileName: string | null;
}

export const isProof = (file: File): boolean => file.name.endsWith('.proof.jsonl');

/** The proof among the files, and the export beside it. */
export async function checkFiles(files: readonly File[]): Promise<CheckedFiles> {
  using worker = openProofWorker();
  const proof = files.find(isProof);
  if (proof === undefined) throw new Error('no proof was given');
  const report = await worker.ask({ kind: 'proof', file: proof });
  const other = files.find((file) => !isProof(file));
  if (other === undefined) return { report, isExported: null, fileName: null };
  const sha256 = await worker.ask({ kind: 'hash', file: other });
  return { report, isExported: sha256 === report.manifest?.sha256, fileName: other.name };
}
