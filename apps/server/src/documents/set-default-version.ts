import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { findVersion, lockDocument, updateDocument } from './document-store.ts';
import { getDocument } from './get-document.ts';

export interface SetDefaultVersion {
  readonly name: string;
  readonly version: number;
  readonly origin: RequestOrigin;
}

/** @throws PortalError 2003 without such a document or version */
export async function setDefaultVersion(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: SetDefaultVersion,
): Promise<DocumentDetail> {
  const now = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const document = await lockDocument(tx, input.name);
    const version = await findVersion(tx, input.name, input.version);
    if (document === undefined || version === undefined) {
      throw new PortalError('notFound', {
        facts: { document: input.name, version: input.version },
      });
    }
    if (document.defaultVersion === input.version) return;
    await updateDocument(tx, input.name, {
      defaultVersion: input.version,
      at: now,
      by: viewer.username,
    });
    await recordAudit(tx, [
      {
        type: 'document.default-changed',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        at: now,
        data: { document: input.name, from: document.defaultVersion, to: input.version },
      },
    ]);
  });
  return getDocument(deps, input.name);
}
