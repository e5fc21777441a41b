import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { Database } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import { findDocument, findVersion } from './document-store.ts';

export interface DocumentVersionReference {
  readonly name: string;
  /** Null takes the default version. */
  readonly version: number | null;
}

/** @throws PortalError 2003 when there is no such document or version */
export async function getDocumentVersion(
  { database }: { readonly database: Database },
  reference: DocumentVersionReference,
): Promise<DocumentVersionDetail> {
  const document = await findDocument(database.orm, reference.name);
  const number = reference.version ?? document?.defaultVersion ?? 0;
  const version = await findVersion(database.orm, reference.name, number);
  if (document === undefined || version === undefined) {
    throw new PortalError('notFound', {
      facts: { document: reference.name, version: reference.version },
    });
  }
  return {
    documentName: document.name,
    version: version.version,
    sha256: version.sha256,
    note: version.note,
    createdBy: version.createdBy,
    createdAt: isoOf(version.createdAt),
    isDefault: version.version === document.defaultVersion,
    format: version.format,
    content: version.content,
    parameters: version.parsed.parameters ?? {},
    steps: version.parsed.mainSteps,
  };
}
