import type { TargetPreview } from '@deviceportal/contract/command-targets';
import {
  previewUndoInput,
  undoReferenceInput,
  undoRunInput,
  type UndoOffer,
} from '@deviceportal/contract/run-undo';
import type { RunDetail } from '@deviceportal/contract/runs';
import { permitted } from '../../platform/api.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { shownAgreement } from '../target/target-agreement.ts';
import { whenDestroying } from '../step-up-when-destroying.ts';
import { getUndoOffer, previewUndo, undoRun } from './undo-run.ts';

/** The undo of a run. */
export const undoProcedures = (deps: CommandsDeps) => ({
  getUndo: permitted('commands:read')
    .input(undoReferenceInput)
    .query(({ ctx, input }): Promise<UndoOffer> => getUndoOffer(deps, ctx.viewer, input)),
  previewUndo: permitted('commands:read')
    .input(previewUndoInput)
    .query(({ ctx, input }): Promise<TargetPreview> => previewUndo(deps, ctx.viewer, input)),
  undo: permitted('commands:run', whenDestroying)
    .input(undoRunInput)
    .mutation(({ ctx, input }): Promise<RunDetail> =>
      undoRun(deps, ctx.viewer, {
        ...input,
        agreement: shownAgreement(input),
        origin: ctx,
      }),
    ),
});
