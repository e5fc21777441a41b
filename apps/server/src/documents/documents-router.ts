import {
  addDocumentVersionInput,
  createDocumentInput,
  documentReferenceInput,
  documentVersionInput,
  listDocumentsInput,
  setDefaultVersionInput,
  validateDocumentInput,
  type DocumentDetail,
  type DocumentRow,
  type DocumentValidation,
  type DocumentVersionDetail,
  type ExportedDocument,
} from '@deviceportal/contract/documents';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { addDocumentVersion } from './add-document-version.ts';
import { changeDocumentState } from './change-document-state.ts';
import { createDocument } from './create-document.ts';
import { exportDocument } from './export-document.ts';
import { getDocument } from './get-document.ts';
import { getDocumentVersion } from './get-document-version.ts';
import { listDocuments } from './list-documents.ts';
import { maskDetail, maskRow, maskVersion } from './mask-authors.ts';
import { setDefaultVersion } from './set-default-version.ts';
import { validateDocument } from './validate-document.ts';

export interface DocumentsDeps {
  readonly database: Database;
  readonly clock: () => Date;
}

export function createDocumentsRouter(deps: DocumentsDeps) {
  return router({
    list: permitted('documents:read')
      .input(listDocumentsInput)
      .query(async ({ ctx, input }): Promise<Page<DocumentRow>> => {
        const page = await listDocuments(deps, input);
        return { ...page, rows: page.rows.map((row) => maskRow(row, ctx.viewer)) };
      }),
    get: permitted('documents:read')
      .input(documentReferenceInput)
      .query(async ({ ctx, input }): Promise<DocumentDetail> =>
        maskDetail(await getDocument(deps, input.name), ctx.viewer),
      ),
    getVersion: permitted('documents:read')
      .input(documentVersionInput)
      .query(async ({ ctx, input }): Promise<DocumentVersionDetail> =>
        maskVersion(await getDocumentVersion(deps, input), ctx.viewer),
      ),
    // A mutation though it changes nothing: the text would not fit a URL.
    validate: permitted('documents:read')
      .input(validateDocumentInput)
      .mutation(({ input }): DocumentValidation => validateDocument(input.content)),
    create: permitted('documents:manage')
      .input(createDocumentInput)
      .mutation(async ({ ctx, input }): Promise<DocumentDetail> =>
        maskDetail(await createDocument(deps, ctx.viewer, { ...input, origin: ctx }), ctx.viewer),
      ),
    addVersion: permitted('documents:manage')
      .input(addDocumentVersionInput)
      .mutation(async ({ ctx, input }): Promise<DocumentDetail> =>
        maskDetail(
          await addDocumentVersion(deps, ctx.viewer, { ...input, origin: ctx }),
          ctx.viewer,
        ),
      ),
    setDefaultVersion: permitted('documents:manage')
      .input(setDefaultVersionInput)
      .mutation(async ({ ctx, input }): Promise<DocumentDetail> =>
        maskDetail(
          await setDefaultVersion(deps, ctx.viewer, { ...input, origin: ctx }),
          ctx.viewer,
        ),
      ),
    deprecate: permitted('documents:manage')
      .input(documentReferenceInput)
      .mutation(async ({ ctx, input }): Promise<DocumentDetail> =>
        maskDetail(
          await changeDocumentState(deps, ctx.viewer, {
            ...input,
            state: 'deprecated',
            origin: ctx,
          }),
          ctx.viewer,
        ),
      ),
    activate: permitted('documents:approve')
      .input(documentReferenceInput)
      .mutation(async ({ ctx, input }): Promise<DocumentDetail> =>
        maskDetail(
          await changeDocumentState(deps, ctx.viewer, { ...input, state: 'active', origin: ctx }),
          ctx.viewer,
        ),
      ),
    export: permitted('documents:read')
      .input(documentVersionInput)
      .query(({ input }): Promise<ExportedDocument> => exportDocument(deps, input)),
  });
}
