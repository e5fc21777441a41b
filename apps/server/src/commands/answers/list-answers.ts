import type { z } from 'zod';
import type {
  answerReferenceInput,
  listAnswersInput,
  RunAnswer,
  RunAnswers,
} from '@deviceportal/contract/run-answers';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findAnswer, summarizeAnswers } from '../data/answer-queries.ts';
import { maskSecrets } from '../output/mask-secrets.ts';
import { readAnswers } from './read-answers.ts';
import { findStoredRun, type StoredRun } from '../data/runs/run-queries.ts';

/**
 * Distinct outputs of the devices of a run. Reads the invocations that have ended since the last call; a large run
 * takes several calls.
 *
 * @throws PortalError 5000 if there is no such run within the viewer's scope
 */
export async function listAnswers(
  deps: CommandsDeps,
  viewer: Viewer,
  { id: runId, ranges }: z.infer<typeof listAnswersInput>,
): Promise<RunAnswers> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const run = await requireRun(deps, viewer, runId);
  await readAnswers(deps, run);
  const found = await summarizeAnswers(deps.database.orm, scopes, { runId, ranges });
  return { ...found, answers: found.answers.map((answer) => masked(deps, run, answer)) };
}

/**
 * One distinct output with more of its text.
 *
 * @throws PortalError 5000 if there is no such output within the viewer's scope
 */
export async function getAnswer(
  deps: CommandsDeps,
  viewer: Viewer,
  { runId, sha256 }: z.infer<typeof answerReferenceInput>,
): Promise<RunAnswer> {
  const run = await requireRun(deps, viewer, runId);
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const answer = await findAnswer(deps.database.orm, scopes, { runId, sha256 });
  if (answer === undefined)
    throw new PortalError('invocationNotFound', { facts: { runId, answer: sha256 } });
  return masked(deps, run, answer);
}

async function requireRun(deps: CommandsDeps, viewer: Viewer, runId: string): Promise<StoredRun> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const run = await findStoredRun(deps.database.orm, runId, scopes);
  if (run === undefined) throw new PortalError('invocationNotFound', { facts: { runId } });
  return run;
}

/** Complete secrets are masked before an output is stored. Its text can be truncated in the middle of one. */
function masked({ vault }: CommandsDeps, run: StoredRun, answer: RunAnswer): RunAnswer {
  return { ...answer, text: maskSecrets(answer.text, vault.secretTexts(run.id, run.parameters)) };
}
