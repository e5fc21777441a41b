import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { DocumentState } from '@deviceportal/contract/states';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { lockDocument, updateDocument } from './document-store.ts';
import { getDocument } from './get-document.ts';

export interface ChangeDocumentState {
  readonly name: string;
  readonly state: 'active' | 'deprecated';
  readonly origin: RequestOrigin;
}

/** Decisions, section 4: draft -> review -> active -> deprecated. */
const allowedFrom: Readonly<Record<ChangeDocumentState['state'], readonly DocumentState[]>> = {
  active: ['draft', 'review'],
  deprecated: ['draft', 'review', 'active'],
};

/** @throws PortalError 2003 without such a document; 2004 when its state does not allow the change */
export async function changeDocumentState(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: ChangeDocumentState,
): Promise<DocumentDetail> {
  const now = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const document = await lockDocument(tx, input.name);
    if (document === undefined)
      throw new PortalError('notFound', { facts: { document: input.name } });
    if (document.state === input.state) return;
    if (!allowedFrom[input.state].includes(document.state)) {
      throw new PortalError('invalidParameters', {
        message: `A document that is ${document.state} cannot become ${input.state}`,
        issues: [{ path: ['name'], message: `is ${document.state}` }],
        facts: { document: input.name, state: document.state },
      });
    }
    await updateDocument(tx, input.name, { state: input.state, at: now, by: viewer.username });
    await recordAudit(tx, [
      {
        type: input.state === 'deprecated' ? 'document.deprecated' : 'document.state-changed',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        at: now,
        data: { document: input.name, from: document.state, to: input.state },
      },
    ]);
  });
  return getDocument(deps, input.name);
}
