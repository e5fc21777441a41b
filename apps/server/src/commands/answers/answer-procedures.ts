import {
  answerReferenceInput,
  keepAnswerInput,
  listAnswersInput,
  type KeptAnswer,
  type RunAnswer,
  type RunAnswers,
} from '@deviceportal/contract/run-answers';
import { exportResultsInput } from '@deviceportal/contract/run-results';
import { permitted } from '../../platform/api.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { exportResults } from './export-results.ts';
import { saveAnswerView } from './save-answer-view.ts';
import { getAnswer, listAnswers } from './list-answers.ts';

/** Distinct outputs of a run, and its results as a file. */
export const answerProcedures = (deps: CommandsDeps) => ({
  listAnswers: permitted('commands:read')
    .input(listAnswersInput)
    .query(({ ctx, input }): Promise<RunAnswers> => listAnswers(deps, ctx.viewer, input)),
  getAnswer: permitted('commands:read')
    .input(answerReferenceInput)
    .query(({ ctx, input }): Promise<RunAnswer> => getAnswer(deps, ctx.viewer, input)),
  keepAnswer: permitted('commands:read')
    .input(keepAnswerInput)
    .mutation(({ ctx, input }): Promise<KeptAnswer> => saveAnswerView(deps, ctx, input)),
  exportResults: permitted('commands:read')
    .input(exportResultsInput)
    .mutation(({ ctx, input }): Promise<{ readonly downloadUrl: string }> =>
      exportResults(deps, ctx, input),
    ),
});
