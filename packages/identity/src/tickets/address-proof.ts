import { z } from 'zod';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';

type AddressKind = 'email' | 'phone';

const LIFE_MS = 15 * 60_000;
const dataSchema = z.object({ address: z.string() });

/**
 * A proof that its holder has verified this email address, or number in E.164 format: the
 * `emailToken` and `phoneToken` of registrations and profile changes.
 */
export function issueProof(
  { tickets }: Pick<ProviderContext, 'tickets'>,
  kind: AddressKind,
  address: string,
  db?: Queryable,
): Promise<string> {
  return tickets.issue({ purpose: `proof-of-${kind}`, data: { address }, lifeMs: LIFE_MS }, db);
}

/** The address that was shown; the proof is used up. @throws ProviderError ticketHasEnded */
export async function spendProof(
  { tickets }: Pick<ProviderContext, 'tickets'>,
  kind: AddressKind,
  proof: string,
  db?: Queryable,
): Promise<string> {
  const { data } = await tickets.spend(`proof-of-${kind}`, proof, db);
  return dataSchema.parse(data).address;
}
