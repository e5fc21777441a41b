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
import { lockDocument, updateDocument, type StoredDocument } from './data/document-queries.ts';
import {
  findVersion,
  findVersionInReview,
  insertVersion,
  versionsOf,
  type NewVersion,
  type StoredVersion,
} from './data/document-version-queries.ts';
import { setVersionState } from './data/version-state-queries.ts';
import { getDocument } from './get-document.ts';
import { findSubDocuments } from './sub-documents.ts';
import { versionSha256 } from './text-sha256.ts';
import {
  requireValidDocument,
  type DocumentTexts,
  type ValidDocument,
} from './validate-document.ts';

export interface AddDocumentVersion extends z.infer<typeof addDocumentVersionInput> {
  readonly origin: RequestOrigin;
}

/**
 * Adds a changed text, or other consequence, secrets, or phases, as the next version, which is a draft. Earlier
 * versions are not changed. A version in review is withdrawn, because a text that its author has already corrected must
 * not be approved.
 *
 * @throws PortalError 2003 if the document does not exist; 2004 if the text or a document that it runs is not valid, if
 * nothing is changed, if the document is deprecated, or if another user has added a version since the one it is based
 * on (facts `latestVersion`, `createdBy`)
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
    requireChange(added, latest);
    await findSubDocuments(tx, added);
    await requireRoom(tx, { limit: 'documentVersions', of: name, existing: versionsOf(name) });
    const withdrawn = await withdrawReviewed(tx, name);
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

async function withdrawReviewed(tx: Transaction, name: string): Promise<readonly number[]> {
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
    // A parameter stays secret until it is removed from the list. Parameters that the text does not declare are
    // rejected.
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

function requireChange(added: NewVersion, latest: StoredVersion): void {
  const sameSecrets =
    added.secretParameters.length === latest.secretParameters.length &&
    added.secretParameters.every((name) => latest.secretParameters.includes(name));
  if (added.sha256 !== latest.sha256 || added.consequence !== latest.consequence || !sameSecrets) {
    return;
  }
  throw refuse('document-unchanged', { field: 'content' });
}
