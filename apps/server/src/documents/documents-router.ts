import { testDocumentInput, type DocumentTest } from '@deviceportal/contract/document-tests';
import {
  addDocumentVersionInput,
  approveVersionInput,
  createDocumentInput,
  deprecateDocumentInput,
  documentReferenceInput,
  documentVersionInput,
  exportDocumentInput,
  listDocumentsInput,
  oneVersionInput,
  rejectVersionInput,
  validateDocumentInput,
  type DocumentDetail,
  type DocumentRow,
  type DocumentValidation,
  type DocumentVersionDetail,
  type ExportedDocument,
} from '@deviceportal/contract/documents';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import { addDocumentVersion } from './add-document-version.ts';
import { createDocument } from './create-document.ts';
import { approveVersion, rejectVersion } from './decide-review.ts';
import { deprecateDocument } from './deprecate-document.ts';
import { exportDocument } from './export-document.ts';
import { getDocument } from './get-document.ts';
import { getDocumentVersion } from './get-document-version.ts';
import { listDocuments } from './list-documents.ts';
import { sendForReview } from './send-for-review.ts';
import { setDefaultVersion } from './set-default-version.ts';
import { testDocument, type DocumentTestDeps } from './test-document.ts';
import { validateDocument } from './validate-document.ts';
import { withdrawFromReview } from './withdraw-from-review.ts';

export function createDocumentsRouter(deps: DocumentTestDeps) {
  return router({
    list: permitted('documents:read')
      .input(listDocumentsInput)
      .query(({ ctx, input }): Promise<Page<DocumentRow>> =>
        listDocuments(deps, ctx.viewer, input),
      ),
    get: permitted('documents:read')
      .input(documentReferenceInput)
      .query(({ ctx, input }): Promise<DocumentDetail> =>
        getDocument(deps, ctx.viewer, input.name),
      ),
    getVersion: permitted('documents:read')
      .input(documentVersionInput)
      .query(({ ctx, input }): Promise<DocumentVersionDetail> =>
        getDocumentVersion(deps, ctx.viewer, input),
      ),
    // A mutation, although it changes nothing, because the text would not fit into a URL.
    validate: permitted('documents:read')
      .input(validateDocumentInput)
      .mutation(({ input }): DocumentValidation =>
        validateDocument(input.content, input.phasesText),
      ),
    // A mutation, although it changes no document, because it is expensive and writes an audit event.
    test: permitted('documents:manage')
      .input(testDocumentInput)
      .mutation(({ ctx, input }): Promise<DocumentTest> =>
        testDocument(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    create: permitted('documents:manage')
      .input(createDocumentInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        createDocument(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    addVersion: permitted('documents:manage')
      .input(addDocumentVersionInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        addDocumentVersion(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    sendForReview: permitted('documents:manage')
      .input(oneVersionInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        sendForReview(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    withdrawFromReview: permitted('documents:manage')
      .input(oneVersionInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        withdrawFromReview(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    approve: permitted('documents:approve')
      .input(approveVersionInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        approveVersion(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    reject: permitted('documents:approve')
      .input(rejectVersionInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        rejectVersion(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    setDefaultVersion: permitted('documents:manage')
      .input(oneVersionInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        setDefaultVersion(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    deprecate: permitted('documents:manage')
      .input(deprecateDocumentInput)
      .mutation(({ ctx, input }): Promise<DocumentDetail> =>
        deprecateDocument(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    export: permitted('documents:read')
      .input(exportDocumentInput)
      .query(({ input }): Promise<ExportedDocument> => exportDocument(deps, input)),
  });
}
