import {
  documentUsageInput,
  getCommandFormInput,
  setFavoriteInput,
  whoMayRunInput,
  type CommandDefinition,
  type CommandForm,
  type DocumentRunners,
  type DocumentUsage,
  type NextRemedy,
} from '@deviceportal/contract/commands';
import { runReferenceInput } from '@deviceportal/contract/runs';
import { permitted } from '../../platform/api.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { getCommandForm } from './get-command-form.ts';
import { getDocumentUsage } from './get-document-usage.ts';
import { getNextRemedies } from './get-next-remedies.ts';
import { listCommands } from './list-commands.ts';
import { setFavoriteCommand } from './set-favorite-command.ts';
import { whoMayRunDocument } from './who-may-run-document.ts';

/** Commands, their forms, and usage of documents. */
export const catalogProcedures = (deps: CommandsDeps) => ({
  list: permitted('commands:read').query(({ ctx }): Promise<readonly CommandDefinition[]> =>
    listCommands(deps, ctx.viewer),
  ),
  getForm: permitted('commands:read')
    .input(getCommandFormInput)
    .query(({ ctx, input }): Promise<CommandForm> => getCommandForm(deps, ctx.viewer, input)),
  nextRemedies: permitted('commands:read')
    .input(runReferenceInput)
    .query(({ ctx, input }): Promise<readonly NextRemedy[]> =>
      getNextRemedies(deps, ctx.viewer, input.id),
    ),
  whoMayRun: permitted('documents:read')
    .input(whoMayRunInput)
    .query(({ ctx, input }): Promise<DocumentRunners> =>
      whoMayRunDocument(deps, ctx.viewer, input.document),
    ),
  documentUsage: permitted('commands:read')
    .input(documentUsageInput)
    .query(({ ctx, input }): Promise<DocumentUsage> =>
      getDocumentUsage(deps, ctx.viewer, input.document),
    ),
  setFavorite: permitted('commands:read')
    .input(setFavoriteInput)
    .mutation(({ ctx, input }): Promise<void> => setFavoriteCommand(deps, ctx, input)),
});
