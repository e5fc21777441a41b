import type { DocumentDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { DocumentState } from '@deviceportal/contract/states';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { findVersion, type StoredVersion } from './data/document-version-queries.ts';
import { lockDocument, updateDocument, type StoredDocument } from './data/document-queries.ts';
import { getDocument } from './get-document.ts';
import type { VersionReference } from './data/document-version-queries.ts';

export interface DocumentsDeps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** A version of a document whose row is locked. */
export interface LockedVersion {
  readonly tx: Transaction;
  readonly document: StoredDocument;
  readonly version: StoredVersion;
  readonly at: Date;
}

/** The result of a change; null if there was nothing to change. */
export interface VersionChange {
  readonly type: AuditDraft['type'];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly defaultVersion?: number;
}

/**
 * Runs a change of a version's state: locks the document, so that two users cannot decide at the same time, and writes
 * the audit event with the change.
 *
 * @throws PortalError 2003 if the version does not exist; 2004 for a deprecated document; errors of `change`
 */
export async function changeVersion(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: VersionReference & {
    readonly origin: RequestOrigin;
    readonly change: (held: LockedVersion) => Promise<VersionChange | null>;
  },
): Promise<DocumentDetail> {
  const { name, origin } = input;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const document = await lockDocument(tx, name);
    const version = await findVersion(tx, name, input.version);
    if (document === undefined || version === undefined) {
      throw new PortalError('notFound', { facts: { document: name, version: input.version } });
    }
    if (document.state === 'deprecated') throw wrongState({ name, state: 'deprecated' });
    const done = await input.change({ tx, document, version, at });
    if (done === null) return;
    await updateDocument(tx, name, {
      at,
      by: viewer.username,
      ...(done.defaultVersion === undefined ? {} : { defaultVersion: done.defaultVersion }),
    });
    const base = { actor: actorOf(viewer, origin), requestId: origin.requestId, at };
    const data = { document: name, version: version.version, sha256: version.sha256, ...done.data };
    const events: AuditDraft[] = [{ ...base, type: done.type, data }];
    if (done.defaultVersion !== undefined && done.type !== 'document.default-changed') {
      events.push({
        ...base,
        type: 'document.default-changed',
        data: { document: name, from: document.defaultVersion, to: done.defaultVersion },
      });
    }
    await recordAudit(tx, events);
  });
  return getDocument(deps, viewer, name);
}

/** @throws PortalError 2004 unless the version is in one of these states */
export function requireState(
  { document, version }: LockedVersion,
  allowed: readonly DocumentState[],
): void {
  if (allowed.includes(version.state)) return;
  throw wrongState({ name: document.name, version: version.version, state: version.state });
}

function wrongState(subject: {
  readonly name: string;
  readonly version?: number;
  readonly state: DocumentState;
}): PortalError {
  const { name, version, state } = subject;
  return refuse('document-state-refuses', {
    field: version === undefined ? 'name' : 'version',
    facts: { document: name, state, ...(version !== undefined && { version }) },
  });
}
