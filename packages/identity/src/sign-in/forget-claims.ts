import type { Queryable } from '../database/in-transaction.ts';

/** What somebody set up for themselves, and what goes on for them: steps of sign-ins, and codes that they confirmed. */
const TABLES = [
  'provider_totp',
  'provider_face',
  'provider_principal',
  'provider_ticket',
  'provider_qr_code',
] as const;

/** Forgets what whoever had this account before its owner came left to come back with, or to keep the owner out. */
export async function forgetClaims(db: Queryable, userId: string): Promise<void> {
  for (const table of TABLES) {
    await db.query(`delete from identity.${table} where user_id = $1`, [userId]);
  }
}
