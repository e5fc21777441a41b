import type { Queryable } from '../database/in-transaction.ts';

export interface StoredPrincipal {
  readonly id: string;
  readonly userId: string;
  readonly userPoolId: string;
  readonly type: 'P' | 'E';
  readonly name: string;
  readonly maskedCode: string;
  readonly createdAt: Date;
}

const COLUMNS = `id, user_id as "userId", user_pool_id as "userPoolId", type, name,
  masked_code as "maskedCode", created_at as "createdAt"`;

export async function findPrincipal(
  db: Queryable,
  userId: string,
): Promise<StoredPrincipal | undefined> {
  const answer = await db.query<StoredPrincipal>(
    `select ${COLUMNS} from identity.provider_principal where user_id = $1`,
    [userId],
  );
  return answer.rows[0];
}

/** @returns false when the person has a real name, or the number belongs to another account */
export async function insertPrincipal(
  db: Queryable,
  principal: StoredPrincipal & { readonly codeHash: Buffer; readonly proofBox: Buffer },
): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.provider_principal (user_id, id, user_pool_id, type, name, masked_code,
       code_hash, proof_box, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [
      principal.userId,
      principal.id,
      principal.userPoolId,
      principal.type,
      principal.name,
      principal.maskedCode,
      principal.codeHash,
      principal.proofBox,
      principal.createdAt,
    ],
  );
  return answer.rowCount === 1;
}
