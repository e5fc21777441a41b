import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { ClaimRow, listClaimsInput } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import type { Page } from '@deviceportal/contract/pages';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { elevationRuns } from '../../access/data/elevation-bonds.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { maskName, maskUser } from '../../people/mask-person.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../../platform/moment-cursor.ts';
import { hasLostRight } from './claim-right.ts';
import { deviceScopeCondition } from '../device-scope-condition.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { requiredIsoMoment } from '../list/moment-text.ts';

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

/**
 * Claims that are not used up, expired or revoked: those that the viewer made, and those within what the viewer may
 * manage.
 */
export async function listClaims(
  deps: DevicesDependencies,
  viewer: Viewer,
  input: z.infer<typeof listClaimsInput>,
): Promise<Page<ClaimRow>> {
  const scopes = scopesOf(viewer.grants, ['devices:manage']);
  const after = decodeMomentCursor(input.cursor);
  const beyond =
    after === null
      ? sql`true`
      : sql`(c.created_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  // A claim has country, model and labels as the devices will have them that it enrols.
  const found = await deps.database.orm.execute<
    ClaimRecord & { readonly created_text: string; readonly lost_right: boolean }
  >(sql`
    select c.*, c.created_at::text as created_text, p.name as owner_name, ${hasLostRight} as lost_right
    from claim c left join person p on p.id = c.owner_id
    where ${beyond} and c.expires_at > ${deps.clock().toISOString()}::timestamptz and c.uses_left > 0
      and ${elevationRuns(sql`c.elevation_id`)}
      and (c.created_by = ${viewer.username} or ${deviceScopeCondition(scopes, sql.raw('c'))})
    order by c.created_at desc, c.id desc limit ${input.pageSize + 1}`);
  const page = found.rows.slice(0, input.pageSize);
  const last = found.rows.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => toClaimRow(row, viewer)),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.created_text, id: last.id }),
  };
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

function toClaimRow(row: ClaimRecord & { readonly lost_right: boolean }, viewer: Viewer): ClaimRow {
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
    state: row.lost_right ? 'right-ended' : 'open',
  };
}
