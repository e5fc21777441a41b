import type { z } from 'zod';
import type { addDocumentVersionInput, DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { maskUser } from '../people/mask-person.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import {
  findVersion,
  insertVersion,
  lockDocument,
  updateDocument,
  type StoredDocument,
} from './document-store.ts';
import { getDocument } from './get-document.ts';
import { textSha256 } from './text-sha256.ts';
import { requireValidDocument } from './validate-document.ts';

export interface AddDocumentVersion extends z.infer<typeof addDocumentVersionInput> {
  readonly origin: RequestOrigin;
}

/**
 * Keeps a changed text as the next version; earlier ones stay as they are.
 *
 * @throws PortalError 2003 without such a document; 2004 when the text is not valid, says nothing new, or when
 *   somebody else has added a version since the one it was edited from (facts `latestVersion`, `createdBy`)
 */
export async function addDocumentVersion(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: AddDocumentVersion,
): Promise<DocumentDetail> {
  const { format, document: parsed } = requireValidDocument(input.content);
  const now = deps.clock();
  const sha256 = textSha256(input.content);
  await inTransaction(deps.database, async (tx) => {
    const document = await lockDocument(tx, input.name);
    if (document === undefined)
      throw new PortalError('notFound', { facts: { document: input.name } });
    const latest = await findVersion(tx, input.name, document.latestVersion);
    requireNoConflict(document, latest, { basedOn: input.basedOn, sha256, viewer });
    requireSecretsKept(document, parsed);
    const version = document.latestVersion + 1;
    await insertVersion(tx, {
      name: input.name,
      version,
      format,
      content: input.content,
      parsed,
      sha256,
      note: input.note,
      createdBy: viewer.username,
      createdAt: now,
    });
    await updateDocument(tx, input.name, {
      latestVersion: version,
      ...(input.makeDefault ? { defaultVersion: version } : {}),
      at: now,
      by: viewer.username,
    });
    const base = {
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      at: now,
    };
    const added: AuditDraft = {
      ...base,
      type: 'document.version-added',
      data: { document: input.name, version, sha256, basedOn: input.basedOn, note: input.note },
    };
    const madeDefault: AuditDraft = {
      ...base,
      type: 'document.default-changed',
      data: { document: input.name, from: document.defaultVersion, to: version },
    };
    await recordAudit(tx, input.makeDefault ? [added, madeDefault] : [added]);
  });
  return getDocument(deps, input.name);
}

function requireNoConflict(
  document: StoredDocument,
  latest: { readonly sha256: string; readonly createdBy: string } | undefined,
  edited: { readonly basedOn: number; readonly sha256: string; readonly viewer: Viewer },
): void {
  if (edited.basedOn !== document.latestVersion) {
    throw new PortalError('invalidParameters', {
      message: 'There is a newer version of this document',
      issues: [{ path: ['basedOn'], message: `version ${document.latestVersion} is newer` }],
      facts: {
        latestVersion: document.latestVersion,
        createdBy: latest === undefined ? null : maskUser(latest.createdBy, edited.viewer),
      },
    });
  }
  if (latest?.sha256 === edited.sha256) {
    const issues = [{ path: ['content'], message: 'is the same as the latest version' }];
    throw new PortalError('invalidParameters', { issues });
  }
}

/** A secret that were declared no more would be kept and shown in the clear from then on. */
function requireSecretsKept(document: StoredDocument, parsed: SsmDocument): void {
  const issues = document.secretParameters
    .filter((name) => !Object.hasOwn(parsed.parameters ?? {}, name))
    .map((name) => ({ path: ['content'], message: `the secret parameter "${name}" is missing` }));
  if (issues.length > 0) throw new PortalError('invalidParameters', { issues });
}
