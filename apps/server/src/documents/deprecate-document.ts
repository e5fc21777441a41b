import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { changeVersion, requireState, type DocumentsDeps } from './change-version.ts';
import { lockDocument, updateDocument } from './data/document-queries.ts';
import { getDocument } from './get-document.ts';
import { deprecateAllVersions, setVersionState } from './data/version-state-queries.ts';

export interface DeprecateDocument {
  readonly name: string;
  /** Null for the document with all its versions. */
  readonly version: number | null;
  readonly origin: RequestOrigin;
}

/**
 * Deprecates a document or version: it can no longer be run. This cannot be undone.
 * @throws PortalError 2003; 2004 for the default version
 */
export async function deprecateDocument(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: DeprecateDocument,
): Promise<DocumentDetail> {
  const { name, version, origin } = input;
  if (version !== null) return deprecateVersion(deps, viewer, { name, version, origin });
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const document = await lockDocument(tx, name);
    if (document === undefined) throw new PortalError('notFound', { facts: { document: name } });
    if (document.state === 'deprecated') return;
    await deprecateAllVersions(tx, name);
    await updateDocument(tx, name, { deprecated: true, at, by: viewer.username });
    await recordAudit(tx, [
      {
        type: 'document.deprecated',
        actor: actorOf(viewer, origin),
        requestId: origin.requestId,
        at,
        data: { document: name, from: document.state, to: 'deprecated' },
      },
    ]);
  });
  return getDocument(deps, viewer, name);
}

function deprecateVersion(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: { readonly name: string; readonly version: number; readonly origin: RequestOrigin },
): Promise<DocumentDetail> {
  return changeVersion(deps, viewer, {
    ...input,
    change: async (held) => {
      if (held.version.state === 'deprecated') return null;
      requireState(held, ['draft', 'active']);
      if (held.document.defaultVersion === input.version) {
        throw refuse('version-is-default', {
          field: 'version',
          facts: { document: input.name, version: input.version },
        });
      }
      await setVersionState(held.tx, input, 'deprecated');
      return { type: 'document.version-deprecated', data: { from: held.version.state } };
    },
  });
}
