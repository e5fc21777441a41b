import {
  createImportClaimInput,
  createImportInput,
  importReference,
  listImportRowsInput,
  listImportsInput,
  type CreatedImport,
  type ImportClaim,
  type ImportDetail,
  type ImportPage,
  type ImportRowPage,
} from '@deviceportal/contract/imports';
import type { Permission } from '@deviceportal/contract/permissions';
import { permitted, router } from '../platform/api.ts';
import type { StepUpRule } from '../platform/step-up-gate.ts';
import { advanceImport } from './advance-import.ts';
import { createClaimOfImport } from './create-claim-of-import.ts';
import { createImport } from './create-import.ts';
import { confirmImport, discardImport, undoImport } from './decide-import.ts';
import { getImport, listImports } from './get-import.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { listRows } from './list-rows.ts';

const managing: readonly Permission[] = ['devices:manage', 'people:manage'];
/** A preview shows what is stored of many people. */
const forPeople: StepUpRule = { purpose: 'reveals-personal-data', when: 'for people' };

/** Imports of devices and people. Users see only their own. */
export function createImportsRouter(deps: ImportsDeps) {
  const requireStepUp = async (
    ctx: { readonly requireStepUp: () => Promise<void> },
    kind: ImportDetail['kind'],
  ): Promise<void> => {
    if (kind === 'people') await ctx.requireStepUp();
  };
  return router({
    list: permitted(managing)
      .input(listImportsInput)
      .query(({ ctx, input }): Promise<ImportPage> => listImports(deps, ctx.viewer, input)),
    get: permitted(managing)
      .input(importReference)
      .query(({ ctx, input }): Promise<ImportDetail> => getImport(deps, ctx.viewer, input)),
    listRows: permitted(managing)
      .input(listImportRowsInput)
      .query(({ ctx, input }): Promise<ImportRowPage> => listRows(deps, ctx.viewer, input)),
    create: permitted(managing, forPeople)
      .input(createImportInput)
      .mutation(async ({ ctx, input }): Promise<CreatedImport> => {
        await requireStepUp(ctx, input.kind);
        return createImport(deps, ctx, input);
      }),
    advance: permitted(managing)
      .input(importReference)
      .mutation(({ ctx, input }): Promise<ImportDetail> => advanceImport(deps, ctx, input.id)),
    confirm: permitted(managing, forPeople)
      .input(importReference)
      .mutation(async ({ ctx, input }): Promise<ImportDetail> => {
        await requireStepUp(ctx, (await getImport(deps, ctx.viewer, input)).kind);
        return confirmImport(deps, ctx, input.id);
      }),
    undo: permitted(managing, forPeople)
      .input(importReference)
      .mutation(async ({ ctx, input }): Promise<ImportDetail> => {
        await requireStepUp(ctx, (await getImport(deps, ctx.viewer, input)).kind);
        return undoImport(deps, ctx, input.id);
      }),
    discard: permitted(managing)
      .input(importReference)
      .mutation(({ ctx, input }): Promise<ImportDetail> => discardImport(deps, ctx, input.id)),
    createClaim: permitted('devices:manage')
      .input(createImportClaimInput)
      .mutation(({ ctx, input }): Promise<ImportClaim> => createClaimOfImport(deps, ctx, input)),
  });
}
