import { sql } from 'drizzle-orm';
import type { ClaimRow } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { maskName, maskUser } from '../people/mask-person.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { requiredIsoMoment } from './moment-text.ts';

interface ClaimRecord extends Record<string, unknown> {
  readonly id: string;
  readonly model: string | null;
  readonly owner_id: string | null;
  readonly owner_name: string | null;
  readonly country: string | null;
  readonly labels: Record<string, string>;
  readonly uses: number;
  readonly uses_left: number;
  readonly expires_at: string;
  readonly created_at: string;
  readonly created_by: string;
}

/** Claims that can still be used, within what the viewer may manage; newest first. */
export async function listClaims(
  deps: DevicesDependencies,
  viewer: Viewer,
): Promise<readonly ClaimRow[]> {
  const found = await deps.database.orm.execute<ClaimRecord>(sql`
    select c.*, p.name as owner_name from claim c left join person p on p.id = c.owner_id
    where c.expires_at > ${deps.clock().toISOString()}::timestamptz and c.uses_left > 0
    order by c.created_at desc, c.id desc limit 500`);
  const manageScopes = scopesOf(viewer.grants, ['devices:manage']);
  return found.rows
    .filter((row) => row.created_by === viewer.username || reaches(manageScopes, row))
    .map((row) => toClaimRow(row, viewer));
}

/** Ends a claim; devices that were enrolled with it stay. */
export async function revokeClaim(
  deps: DevicesDependencies,
  caller: Caller,
  id: string,
): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    const found = await tx.execute<ClaimRecord>(
      sql`select * from claim where id = ${id} for update`,
    );
    const claim = found.rows[0];
    const scopes = scopesOf(caller.viewer.grants, ['devices:manage']);
    const own = claim?.created_by === caller.viewer.username;
    if (claim === undefined || !(own || reaches(scopes, claim))) throw new PortalError('notFound');
    if (claim.uses_left === 0) return;
    await tx.execute(sql`update claim set uses_left = 0 where id = ${id}`);
    await recordAudit(tx, [
      {
        type: 'device.claim-revoked',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { claimId: id, usesLeft: claim.uses_left },
      },
    ]);
  });
}

function toClaimRow(row: ClaimRecord, viewer: Viewer): ClaimRow {
  const maySeeOwner = reaches(scopesOf(viewer.grants, ['people:read']), row);
  return {
    id: row.id,
    model: row.model,
    owner:
      row.owner_id === null || row.owner_name === null
        ? null
        : { id: row.owner_id, name: maySeeOwner ? row.owner_name : maskName(row.owner_name) },
    labels: row.labels,
    usesLeft: row.uses_left,
    uses: row.uses,
    expiresAt: requiredIsoMoment(row.expires_at),
    createdAt: requiredIsoMoment(row.created_at),
    createdBy: maskUser(row.created_by, viewer),
  };
}
