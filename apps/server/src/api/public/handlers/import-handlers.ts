import { importOf, problemOf } from '../objects/import-of.ts';
import type { Handlers } from '../operation-call.ts';

export const importHandlers: Handlers<
  | 'listImports'
  | 'createImport'
  | 'getImport'
  | 'listImportRows'
  | 'advanceImport'
  | 'confirmImport'
  | 'undoImport'
  | 'discardImport'
> = {
  async listImports({ portal, query: { pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.imports.list({ pageSize, cursor });
    return { items: rows.map(importOf), nextCursor };
  },
  createImport: ({ portal, body }) => portal.imports.create(body),
  getImport: async ({ portal, params }) =>
    importOf(await portal.imports.get({ id: params.import })),
  async listImportRows({ portal, params, query: { show = null, pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.imports.listRows({
      ...{ id: params.import, show, pageSize, cursor },
    });
    return {
      items: rows.map(({ changes, problem, ...row }) => ({
        ...row,
        changes: changes.map((change) => ({ ...change })),
        problem: problem === null ? null : problemOf(problem),
      })),
      nextCursor,
    };
  },
  advanceImport: async ({ portal, params }) =>
    importOf(await portal.imports.advance({ id: params.import })),
  confirmImport: async ({ portal, params }) =>
    importOf(await portal.imports.confirm({ id: params.import })),
  undoImport: async ({ portal, params }) =>
    importOf(await portal.imports.undo({ id: params.import })),
  discardImport: async ({ portal, params }) =>
    importOf(await portal.imports.discard({ id: params.import })),
};
