import type { ExportedDocument } from '@deviceportal/contract/documents';
import type { Database } from '../platform/database/database.ts';
import { getDocumentVersion, type DocumentVersionReference } from './get-document-version.ts';

/** The text exactly as it was written, ready to be taken to SSM or to another portal. */
export async function exportDocument(
  deps: { readonly database: Database },
  reference: DocumentVersionReference,
): Promise<ExportedDocument> {
  const version = await getDocumentVersion(deps, reference);
  const isJson = version.format === 'JSON';
  return {
    fileName: `${version.documentName}-v${version.version}.${isJson ? 'json' : 'yaml'}`,
    mediaType: isJson ? 'application/json' : 'application/yaml',
    content: version.content,
    sha256: version.sha256,
  };
}
