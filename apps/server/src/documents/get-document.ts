import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { findRoleNamesHolding } from '../access/data/role-queries.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectDocumentRows } from './data/document-row-queries.ts';
import { listVersions } from './data/document-version-queries.ts';
import { viewDocumentRow } from './view-document-row.ts';
import { viewVersion } from './version-view.ts';

/** @throws PortalError 2003 if the document does not exist */
export async function getDocument(
  { database }: { readonly database: Database },
  viewer: Viewer,
  name: string,
): Promise<DocumentDetail> {
  const [row] = await selectDocumentRows(database.orm, {
    filter: { name },
    ...{ sort: 'name', descending: false },
    limit: 1,
    scopes: scopesOf(viewer.grants, ['commands:read']),
  });
  if (row === undefined) throw new PortalError('notFound', { facts: { document: name } });
  const [versions, approverRoles] = await Promise.all([
    listVersions(database.orm, name),
    findRoleNamesHolding(database.orm, 'documents:approve'),
  ]);
  return {
    ...viewDocumentRow(row, viewer),
    versions: versions.map((version) => viewVersion(version, viewer, row.defaultVersion)),
    approverRoles,
  };
}
