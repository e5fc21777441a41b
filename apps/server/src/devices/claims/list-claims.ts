import type { z } from 'zod';
import type { ClaimRow, listClaimsInput } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import type { Page } from '@deviceportal/contract/pages';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { maskName, maskUser } from '../../people/mask-person.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../../platform/moment-cursor.ts';
import { lockClaim, revokeUses, selectClaims } from '../data/enrollment/claim-queries.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';

type ListedClaim = Awaited<ReturnType<typeof selectClaims>>[number];

/**
 * Claims that are not used up, expired, or revoked: those that the viewer created, and those within the scope in which
 * the viewer manages devices.
 */
export async function listClaims(
  deps: DevicesDependencies,
  viewer: Viewer,
  input: z.infer<typeof listClaimsInput>,
): Promise<Page<ClaimRow>> {
  const found = await selectClaims(deps.database.orm, viewer, {
    after: decodeMomentCursor(input.cursor),
    now: deps.clock(),
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => toClaimRow(row, viewer)),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.createdAtText, id: last.id }),
  };
}

/** Revokes a claim. Devices that were enrolled with it are not affected. */
export async function revokeClaim(
  deps: DevicesDependencies,
  caller: Caller,
  id: string,
): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    const claim = await lockClaim(tx, id);
    const scopes = scopesOf(caller.viewer.grants, ['devices:manage']);
    const own = claim?.createdBy === caller.viewer.username;
    if (claim === undefined || !(own || reaches(scopes, claim))) throw new PortalError('notFound');
    if (claim.usesLeft === 0) return;
    await revokeUses(tx, id);
    await recordAudit(tx, [
      {
        type: 'device.claim-revoked',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { claimId: id, usesLeft: claim.usesLeft },
      },
    ]);
  });
}

function toClaimRow(row: ListedClaim, viewer: Viewer): ClaimRow {
  const maySeeOwner = reaches(scopesOf(viewer.grants, ['people:read']), row);
  const { id, model, ownerId, ownerName, labels, usesLeft, uses } = row;
  return {
    ...{ id, model, labels, usesLeft, uses },
    owner:
      ownerId === null || ownerName === null
        ? null
        : { id: ownerId, name: maySeeOwner ? ownerName : maskName(ownerName) },
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    createdBy: maskUser(row.createdBy, viewer),
    state: row.lostRight ? 'right-ended' : 'open',
  };
}
