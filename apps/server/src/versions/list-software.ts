import { scopesOf } from '@deviceportal/contract/permissions';
import type { SoftwareApproval, SoftwareVersionRow } from '@deviceportal/contract/versions';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readApprovals, readSoftware } from './data/installed-queries.ts';

/** The registered versions of a component, newest first. */
export async function listSoftware(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string,
): Promise<readonly SoftwareVersionRow[]> {
  const scopes = scopesOf(viewer.grants, ['versions:read']);
  const found = await readSoftware(deps.database.orm, scopes, component);
  return found.map(({ artifactName: name, artifactBytes: bytes, artifactSha256, ...row }) => ({
    ...row,
    component,
    releasedAt: row.releasedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    createdBy: maskUser(row.createdBy, viewer),
    artifact:
      name === null || artifactSha256 === null
        ? null
        : { name, bytes: bytes ?? 0, sha256: artifactSha256 },
  }));
}

export async function listApprovals(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string,
): Promise<readonly SoftwareApproval[]> {
  const found = await readApprovals(deps.database.orm, component);
  return found.map((row) => ({
    ...row,
    approvedBy: maskUser(row.approvedBy, viewer),
    approvedAt: row.approvedAt.toISOString(),
    mandatoryFrom: row.mandatoryFrom?.toISOString() ?? null,
  }));
}
