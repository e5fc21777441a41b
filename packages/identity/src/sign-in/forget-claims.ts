import type { Queryable } from '../database/in-transaction.ts';

/**
 * Data that a user set up, and pending steps: second factors, sign-ins in progress, and confirmed
 * codes.
 */
const TABLES = [
  'provider_totp',
  'provider_face',
  'provider_principal',
  'provider_ticket',
  'provider_qr_code',
] as const;

/**
 * Deletes everything that an earlier holder of the account could use to get back in, or to lock the
 * owner out.
 */
export async function forgetClaims(db: Queryable, userId: string): Promise<void> {
  for (const table of TABLES) {
    await db.query(`delete from identity.${table} where user_id = $1`, [userId]);
  }
}
