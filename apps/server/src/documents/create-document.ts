import type { z } from 'zod';
import type { createDocumentInput, DocumentDetail } from '@deviceportal/contract/documents';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { requireDeclared } from './declared-secrets.ts';
import { insertDocument, ownDocuments } from './data/document-queries.ts';
import { insertVersion } from './data/document-version-queries.ts';
import { getDocument } from './get-document.ts';
import { findSubDocuments } from './sub-documents.ts';
import { versionSha256 } from './text-sha256.ts';
import { requireValidDocument } from './validate-document.ts';

const RELEASE_PREFIX = 'deviceportal-';

export interface CreateDocument extends Omit<z.infer<typeof createDocumentInput>, 'phasesText'> {
  readonly phasesText?: string;
  readonly origin: RequestOrigin;
}

/**
 * Creates a document with a draft. It can be run after another user has approved the draft.
 *
 * @throws PortalError 2004 if the name is taken, the text is not valid, or a secret parameter is not declared
 */
export async function createDocument(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: CreateDocument,
): Promise<DocumentDetail> {
  requireFreeName(input.name);
  const phasesText = input.phasesText ?? '';
  const { format, document, phases } = requireValidDocument(input.content, phasesText);
  requireDeclared(document, input.secretParameters);
  const now = deps.clock();
  const sha256 = versionSha256({ content: input.content, phasesText });
  await inTransaction(deps.database, async (tx) => {
    await requireRoom(tx, { limit: 'documents', of: '', existing: ownDocuments() });
    await findSubDocuments(tx, { name: input.name, parsed: document, phases });
    const isNew = await insertDocument(tx, {
      name: input.name,
      description: input.description || (document.description ?? ''),
      labels: input.labels,
      ...{ state: 'draft', builtin: false, at: now, by: viewer.username },
    });
    if (!isNew) {
      throw refuse('document-name-taken', { field: 'name', facts: { document: input.name } });
    }
    await insertVersion(tx, {
      name: input.name,
      version: 1,
      format,
      content: input.content,
      parsed: document,
      phasesText,
      phases,
      sha256,
      note: input.note,
      state: 'draft',
      consequence: input.consequence,
      secretParameters: input.secretParameters,
      createdBy: viewer.username,
      createdById: viewer.userId,
      createdAt: now,
    });
    await recordAudit(tx, [
      {
        type: 'document.created',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        at: now,
        data: { document: input.name, version: 1, sha256, consequence: input.consequence },
      },
    ]);
  });
  return getDocument(deps, viewer, input.name);
}

/** A later release can contain a document with such a name, and its command would then run the existing text. */
function requireFreeName(name: string): void {
  if (!name.toLowerCase().startsWith(RELEASE_PREFIX)) return;
  throw refuse('document-name-reserved', { field: 'name', facts: { document: name } });
}
