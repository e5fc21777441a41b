import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { addDocumentVersionInput, DocumentDetail } from '@deviceportal/contract/documents';
import { declaredPhases } from '@deviceportal/contract/document-phases';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { maskUser } from '../people/mask-person.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { DocumentsDeps } from './change-version.ts';
import { requireDeclared } from './declared-secrets.ts';
import {
  findVersion,
  findVersionInReview,
  insertVersion,
  lockDocument,
  updateDocument,
  type NewVersion,
  type StoredDocument,
  type StoredVersion,
} from './document-store.ts';
import { getDocument } from './get-document.ts';
import { findSubDocuments } from './sub-documents.ts';
import { versionSha256 } from './text-sha256.ts';
import {
  requireValidDocument,
  type DocumentTexts,
  type ValidDocument,
} from './validate-document.ts';
import { setVersionState } from './version-state-store.ts';

export interface AddDocumentVersion extends z.infer<typeof addDocumentVersionInput> {
  readonly origin: RequestOrigin;
}

/**
 * Keeps a changed text, or what changed beside it (consequence, secrets, phases), as the next version; earlier ones stay as
 * they are. It is a draft. A version that was in review is one no more: what is approved must not be what the author
 * has already put right.
 *
 * @throws PortalError 2003 without such a document; 2004 when the text or what it runs is not valid, says nothing new, when the
 *   document is deprecated, or when somebody else has added a version since the one it was edited from (facts
 *   `latestVersion`, `createdBy`)
 */
export async function addDocumentVersion(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: AddDocumentVersion,
): Promise<DocumentDetail> {
  const { name } = input;
  const at = deps.clock();
  const base = { actor: actorOf(viewer, input.origin), requestId: input.origin.requestId, at };
  await inTransaction(deps.database, async (tx) => {
    const document = await lockDocument(tx, name);
    const latest = document && (await findVersion(tx, name, document.latestVersion));
    if (document === undefined || latest === undefined) {
      throw new PortalError('notFound', { facts: { document: name } });
    }
    const phasesText = input.phasesText ?? latest.phasesText;
    const valid = requireValidDocument(input.content, phasesText);
    requireEditable(document, latest, { basedOn: input.basedOn, viewer });
    const added = nextVersion({ ...input, phasesText }, { valid, latest, viewer, at });
    requireDeclared(valid.document, added.secretParameters);
    requireNews(added, latest);
    await findSubDocuments(tx, added);
    const existing = sql`select from document_version where document_name = ${name}`;
    await requireRoom(tx, { limit: 'documentVersions', of: name, existing });
    const withdrawn = await takeOutOfReview(tx, name);
    await insertVersion(tx, added);
    await updateDocument(tx, name, {
      latestVersion: added.version,
      at,
      by: viewer.username,
    });
    const { version, sha256, consequence, secretParameters, note } = added;
    const phases = declaredPhases.filter((phase) => added.phases[phase] !== undefined);
    const beside = { consequence, secretParameters, phases };
    const events: AuditDraft[] = withdrawn.map((withdrawnVersion) => ({
      ...base,
      type: 'document.review-withdrawn',
      data: { document: name, version: withdrawnVersion, replacedBy: version },
    }));
    events.push({
      ...base,
      type: 'document.version-added',
      data: { document: name, version, sha256, basedOn: input.basedOn, note, ...beside },
    });
    await recordAudit(tx, events);
  });
  return getDocument(deps, viewer, name);
}

async function takeOutOfReview(tx: Transaction, name: string): Promise<readonly number[]> {
  const version = await findVersionInReview(tx, name);
  if (version === null) return [];
  await setVersionState(tx, { name, version }, 'draft');
  return [version];
}

function nextVersion(
  input: AddDocumentVersion & DocumentTexts,
  from: {
    readonly valid: ValidDocument;
    readonly latest: StoredVersion;
    readonly viewer: Viewer;
    readonly at: Date;
  },
): NewVersion {
  const { valid, latest, viewer, at } = from;
  return {
    name: input.name,
    version: latest.version + 1,
    state: 'draft',
    format: valid.format,
    content: input.content,
    parsed: valid.document,
    phasesText: input.phasesText,
    phases: valid.phases,
    sha256: versionSha256(input),
    consequence: input.consequence ?? latest.consequence,
    // A secret that nobody took off the list stays one; that it were missing in the text is told.
    secretParameters: input.secretParameters ?? latest.secretParameters,
    note: input.note,
    createdBy: viewer.username,
    createdById: viewer.userId,
    createdAt: at,
  };
}

function requireEditable(
  document: StoredDocument,
  latest: StoredVersion,
  edited: { readonly basedOn: number; readonly viewer: Viewer },
): void {
  if (document.state === 'deprecated') {
    throw refuse('document-deprecated', { field: 'name', facts: { document: document.name } });
  }
  if (edited.basedOn === document.latestVersion) return;
  throw refuse('document-changed', {
    field: 'basedOn',
    facts: {
      latestVersion: document.latestVersion,
      createdBy: maskUser(latest.createdBy, edited.viewer),
    },
  });
}

function requireNews(added: NewVersion, latest: StoredVersion): void {
  const sameSecrets =
    added.secretParameters.length === latest.secretParameters.length &&
    added.secretParameters.every((name) => latest.secretParameters.includes(name));
  if (added.sha256 !== latest.sha256 || added.consequence !== latest.consequence || !sameSecrets) {
    return;
  }
  throw refuse('document-unchanged', { field: 'content' });
}
