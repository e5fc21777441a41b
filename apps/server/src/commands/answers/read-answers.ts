import type { Database, Executor } from '../../platform/database/database.ts';
import {
  findUnreadInvocations,
  storePlainAnswers,
  storeMaskedAnswers,
} from '../data/read-answer-queries.ts';
import { secretsToHide } from '../output/mask-secrets.ts';
import { readBeginnings } from '../output/read-output.ts';
import type { ParameterVault, StoredParameters } from '../parameters/parameter-vault.ts';

/** Outputs are compared by their first characters. */
const MAX_CHARACTERS = { stdout: 64 * 1_024, stderr: 16 * 1_024 } as const;
/** Invocations read per statement, and time limit of one call. */
const BATCH = 500;
/** Smaller, because texts with secrets pass through this process. */
const BATCH_WITH_SECRETS = 50;
const READ_FOR_MS = 1_500;

interface AnsweredRun {
  readonly id: string;
  readonly parameters: StoredParameters;
}

/**
 * Groups the finished invocations of a run by output, in batches, until all are read or the time limit is reached: in
 * the database, or in this process if the run has secrets to mask. This work is done on the first request, not during
 * dispatch. Concurrent calls write the same rows.
 */
export async function readAnswers(
  deps: { readonly database: Database; readonly vault: ParameterVault; readonly clock: () => Date },
  run: AnsweredRun,
): Promise<void> {
  const { orm } = deps.database;
  const secrets = secretsToHide(deps.vault.secretTexts(run.id, run.parameters));
  const untilMs = deps.clock().getTime() + READ_FOR_MS;
  do {
    const isThrough =
      secrets.length === 0 ? await readPlain(orm, run.id) : await readHidden(orm, run.id, secrets);
    if (isThrough) return;
  } while (deps.clock().getTime() < untilMs);
}

/** Returns whether all invocations are read. */
const readPlain = async (executor: Executor, runId: string): Promise<boolean> =>
  (await storePlainAnswers(executor, runId, { limit: BATCH, most: MAX_CHARACTERS })) < BATCH;

async function readHidden(
  executor: Executor,
  runId: string,
  secrets: readonly string[],
): Promise<boolean> {
  const ids = await findUnreadInvocations(executor, runId, BATCH_WITH_SECRETS);
  if (ids.length === 0) return true;
  const texts = await readBeginnings(
    executor,
    new Map(ids.map((id) => [id, secrets])),
    MAX_CHARACTERS,
  );
  const said = ids.map((id) => {
    const { stdout = '', stderr = '' } = texts.get(id) ?? {};
    return { id, text: (stdout + stderr).toWellFormed() };
  });
  await storeMaskedAnswers(executor, runId, said);
  return ids.length < BATCH_WITH_SECRETS;
}
