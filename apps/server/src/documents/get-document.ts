import { sql } from 'drizzle-orm';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { findRoleNamesHolding } from '../access/data/role-queries.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { maskRow, selectDocumentRows } from './document-row-store.ts';
import { listVersions } from './document-store.ts';
import { viewVersion } from './version-view.ts';

/** @throws PortalError 2003 when there is no document of that name */
export async function getDocument(
  { database }: { readonly database: Database },
  viewer: Viewer,
  name: string,
): Promise<DocumentDetail> {
  const found = await selectDocumentRows(database.orm, {
    where: sql`d.name = ${name}`,
    order: sql`d.name`,
    limit: 1,
    scopes: scopesOf(viewer.grants, ['commands:read']),
  });
  const row = found[0]?.row;
  if (row === undefined) throw new PortalError('notFound', { facts: { document: name } });
  const [versions, approverRoles] = await Promise.all([
    listVersions(database.orm, name),
    findRoleNamesHolding(database.orm, 'documents:approve'),
  ]);
  return {
    ...maskRow(row, viewer),
    versions: versions.map((version) => viewVersion(version, viewer, row.defaultVersion)),
    approverRoles,
  };
}
