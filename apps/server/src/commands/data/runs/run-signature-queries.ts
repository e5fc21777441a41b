import { eq } from 'drizzle-orm';
import type { SignedStatement } from '@deviceportal/command-signing/signed-statement';
import type { Executor } from '../../../platform/database/database.ts';
import { runSignature } from '../commands-tables.ts';

export interface StoredSignature {
  readonly statement: SignedStatement;
  /** Encrypted. */
  readonly blinding: string;
}

export async function insertRunSignature(
  on: Executor,
  runId: string,
  signature: StoredSignature & { readonly deviceIds: Buffer },
): Promise<void> {
  const { statement, blinding, deviceIds } = signature;
  await on.insert(runSignature).values({
    ...{ runId, blinding, deviceIds },
    statement: statement.payload,
    signatures: [...statement.signatures],
  });
}

/** Undefined for a run that was requested before runs were signed. */
export async function findRunSignature(
  on: Executor,
  runId: string,
): Promise<StoredSignature | undefined> {
  const [found] = await on
    .select({
      payload: runSignature.statement,
      signatures: runSignature.signatures,
      blinding: runSignature.blinding,
    })
    .from(runSignature)
    .where(eq(runSignature.runId, runId));
  if (found === undefined) return undefined;
  const { blinding, ...statement } = found;
  return { statement, blinding };
}

/** Target device IDs of a run, 16 bytes each, sorted. */
export async function findSignedDeviceIds(on: Executor, runId: string): Promise<Uint8Array> {
  const [found] = await on
    .select({ ids: runSignature.deviceIds })
    .from(runSignature)
    .where(eq(runSignature.runId, runId));
  return found?.ids ?? Buffer.alloc(0);
}
