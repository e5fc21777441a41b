import { sql } from 'drizzle-orm';
import type { SignedStatement } from '@deviceportal/command-signing/signed-statement';
import type { Executor } from '../../platform/database/database.ts';

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
  await on.execute(sql`
    insert into run_signature (run_id, statement, signatures, blinding, device_ids)
    values (${runId}, ${statement.payload}, ${JSON.stringify(statement.signatures)}::jsonb, ${blinding}, ${deviceIds})`);
}

/** Undefined for a run that was requested before runs were signed. */
export async function findRunSignature(
  on: Executor,
  runId: string,
): Promise<StoredSignature | undefined> {
  const { rows } = await on.execute<{
    statement: string;
    signatures: SignedStatement['signatures'];
    blinding: string;
  }>(sql`select statement, signatures, blinding from run_signature where run_id = ${runId}`);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { statement: payload, signatures, blinding } = row;
  return { statement: { payload, signatures }, blinding };
}

/** The ids of a run's targets, 16 bytes each, sorted. */
export async function findSignedDeviceIds(on: Executor, runId: string): Promise<Uint8Array> {
  const { rows } = await on.execute<{ ids: Buffer }>(
    sql`select device_ids as ids from run_signature where run_id = ${runId}`,
  );
  return rows[0]?.ids ?? Buffer.alloc(0);
}
