import { sql } from 'drizzle-orm';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { Database } from '../platform/database/database.ts';
import { selectDocumentRows } from './document-row-store.ts';
import { listVersions } from './document-store.ts';

/** @throws PortalError 2003 when there is no document of that name */
export async function getDocument(
  { database }: { readonly database: Database },
  name: string,
): Promise<DocumentDetail> {
  const found = await selectDocumentRows(database.orm, {
    where: sql`d.name = ${name}`,
    order: sql`d.name`,
    limit: 1,
  });
  const row = found[0]?.row;
  if (row === undefined) throw new PortalError('notFound', { facts: { document: name } });
  return { ...row, versions: await listVersions(database.orm, name) };
}
