import {
  getCommandFormInput,
  getInvocationInput,
  listInvocationsInput,
  listRunsInput,
  previewTargetInput,
  rerunCommandInput,
  runCommandInput,
  runReferenceInput,
  setFavouriteInput,
  type CommandDefinition,
  type CommandForm,
  type InvocationDetail,
  type InvocationRow,
  type RunDetail,
  type RunRow,
  type TargetPreview,
} from '@deviceportal/contract/commands';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import { cancelInvocation } from './cancel-invocation.ts';
import { cancelRun } from './cancel-run.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { getCommandForm } from './get-command-form.ts';
import { getInvocation } from './get-invocation.ts';
import { getRun } from './get-run.ts';
import { listCommands } from './list-commands.ts';
import { listInvocations } from './list-invocations.ts';
import { listRuns } from './list-runs.ts';
import { previewTarget } from './preview-target.ts';
import { rerunCommand } from './rerun-command.ts';
import { runCommand } from './run-command.ts';
import { setFavouriteCommand } from './set-favourite-command.ts';

export function createCommandsRouter(deps: CommandsDeps) {
  return router({
    list: permitted('commands:read').query(({ ctx }): Promise<readonly CommandDefinition[]> =>
      listCommands(deps, ctx.viewer),
    ),
    getForm: permitted('commands:read')
      .input(getCommandFormInput)
      .query(({ ctx, input }): Promise<CommandForm> => getCommandForm(deps, ctx.viewer, input)),
    previewTarget: permitted('commands:read')
      .input(previewTargetInput)
      .query(({ ctx, input }): Promise<TargetPreview> => previewTarget(deps, ctx.viewer, input)),
    // Which right a run needs depends on its document: the use-case decides.
    run: permitted('commands:read')
      .input(runCommandInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        runCommand(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    rerun: permitted('commands:read')
      .input(rerunCommandInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        rerunCommand(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    cancelRun: permitted('commands:read')
      .input(runReferenceInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        cancelRun(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    cancelInvocation: permitted('commands:read')
      .input(runReferenceInput)
      .mutation(({ ctx, input }): Promise<InvocationDetail> =>
        cancelInvocation(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    listRuns: permitted('commands:read')
      .input(listRunsInput)
      .query(({ ctx, input }): Promise<Page<RunRow>> => listRuns(deps, ctx.viewer, input)),
    getRun: permitted('commands:read')
      .input(runReferenceInput)
      .query(({ ctx, input }): Promise<RunDetail> => getRun(deps, ctx.viewer, input.id)),
    listInvocations: permitted('commands:read')
      .input(listInvocationsInput)
      .query(({ ctx, input }): Promise<Page<InvocationRow>> =>
        listInvocations(deps, ctx.viewer, input),
      ),
    getInvocation: permitted('commands:read')
      .input(getInvocationInput)
      .query(({ ctx, input }): Promise<InvocationDetail> => getInvocation(deps, ctx.viewer, input)),
    setFavourite: permitted('commands:read')
      .input(setFavouriteInput)
      .mutation(({ ctx, input }): Promise<void> => setFavouriteCommand(deps, ctx.viewer, input)),
  });
}
