import { sql } from 'drizzle-orm';
import type { CreatedClaim } from '@deviceportal/contract/devices';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import { newId } from '@deviceportal/contract/ids';
import { earlier } from '../../access/elevations/find-elevation-behind.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import { hashClaimToken, newClaimToken } from './claim-token.ts';
import { idArrayParam } from '../search/device-predicate.ts';

export interface ClaimDraft {
  readonly model: string | null;
  readonly ownerId: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly uses: number;
  readonly expiresAt: Date;
  readonly createdBy: string;
  /** Null for the portal itself. */
  readonly createdById: string | null;
  /** The one device it enrols. */
  readonly deviceId: string | null;
  /** The only devices it enrols, one use each; null for any. */
  readonly recordedDeviceIds: readonly string[] | null;
  /** The temporary access with which it ends. */
  readonly bond: ElevationBond | null;
}

/** What is answered of a claim that was stored. */
export type StoredClaim = Pick<CreatedClaim, 'id' | 'token' | 'expiresAt' | 'bond'>;

/** Stores a claim by the hash of its token; the token is answered this once. It expires with its bond at the latest. */
export async function insertClaim(
  tx: Transaction,
  { bond, ...draft }: ClaimDraft,
): Promise<StoredClaim> {
  const existing = sql`
    select from claim where created_by = ${draft.createdBy} and expires_at > portal_now() and uses_left > 0
      and ended_at is null`;
  await requireRoom(tx, { limit: 'openClaims', of: draft.createdBy, existing });
  const expiresAt = earlier(draft.expiresAt, bond).toISOString();
  const id = newId();
  const token = newClaimToken();
  await tx.execute(sql`
    insert into claim (id, token_hash, model, owner_id, country, labels, uses, uses_left, only_recorded, device_id,
      expires_at, created_by, created_by_id, elevation_id)
    values (${id}, ${hashClaimToken(token)}, ${draft.model}, ${draft.ownerId}, ${draft.country},
      ${JSON.stringify(draft.labels)}::jsonb, ${draft.uses}, ${draft.uses}, ${draft.recordedDeviceIds !== null},
      ${draft.deviceId}, ${expiresAt}::timestamptz, ${draft.createdBy}, ${draft.createdById}, ${bond?.elevationId ?? null})`);
  if (draft.recordedDeviceIds !== null) {
    await tx.execute(sql`
      insert into claim_device (claim_id, device_id)
      select ${id}::uuid, recorded from unnest(${idArrayParam(draft.recordedDeviceIds)}) as i(recorded)`);
  }
  return { id, token, expiresAt, bond };
}

/** For the trail: which claim, until when, and by which temporary access. */
export const claimFacts = ({ id, expiresAt, bond }: StoredClaim): Record<string, unknown> => ({
  claimId: id,
  expiresAt,
  ...(bond && { elevationId: bond.elevationId }),
});
