import type { DocumentVersionDetail } from '@deviceportal/contract/documents';
import { PortalError } from '@deviceportal/contract/errors';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findDocument } from './data/document-queries.ts';
import { findVersion } from './data/document-version-queries.ts';
import { viewVersion } from './version-view.ts';

export interface DocumentVersionReference {
  readonly name: string;
  /** Null for the default version, or the latest if there is no default. */
  readonly version: number | null;
}

/** @throws PortalError 2003 if the document or version does not exist */
export async function getDocumentVersion(
  { database }: { readonly database: Database },
  viewer: Viewer,
  reference: DocumentVersionReference,
): Promise<DocumentVersionDetail> {
  const document = await findDocument(database.orm, reference.name);
  const number = reference.version ?? document?.defaultVersion ?? document?.latestVersion ?? 0;
  const version = await findVersion(database.orm, reference.name, number);
  if (document === undefined || version === undefined) {
    throw new PortalError('notFound', {
      facts: { document: reference.name, version: reference.version },
    });
  }
  return {
    ...viewVersion(version, viewer, document.defaultVersion),
    documentName: document.name,
    format: version.format,
    content: version.content,
    phasesText: version.phasesText,
    parameters: version.parsed.parameters ?? {},
    steps: version.parsed.mainSteps,
    phases: version.phases,
  };
}
