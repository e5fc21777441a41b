import { sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { normalised, withoutEscapes, withReplaced } from './answer-normalizer.ts';
import { secretsToHide } from '../output/mask-secrets.ts';
import { readBeginnings } from '../output/output-store.ts';
import { MASK, type ParameterVault, type StoredParameters } from '../parameters/parameter-vault.ts';

/** Answers are told apart by the beginnings of what was said. */
const MOST = { stdout: 64 * 1_024, stderr: 16 * 1_024 } as const;
const KEPT_CHARACTERS = 20_000;
/** Invocations read by one statement, and how long one call goes on reading. */
const BATCH = 500;
/** Their texts pass through this process. */
const BATCH_WITH_SECRETS = 50;
const READ_FOR_MS = 1_500;
/** Shorter names would be found in ordinary words. */
const MIN_NAME_CHARACTERS = 6;

interface AnsweredRun {
  readonly id: string;
  readonly parameters: StoredParameters;
}

/**
 * Sorts what has ended of a run under its distinct answers, in small sets, until all is read or a moment has passed:
 * in the database, or through the one place that hides secrets where the run has any. Who asks first pays; dispatching
 * pays nothing. Two that read at once write the same.
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

/** Answers whether all is read. */
async function readPlain(executor: Executor, runId: string): Promise<boolean> {
  const which = sql`${isUnread(runId)} limit ${BATCH}`;
  const said = sql`select coalesce(nullif(concat(
      ${beginningOf('stdout')}, ${beginningOf('stderr')}), ''), ended.output_preview) as text`;
  const { rowCount } = await executor.execute(keep(runId, which, said));
  return (rowCount ?? 0) < BATCH;
}

async function readHidden(
  executor: Executor,
  runId: string,
  secrets: readonly string[],
): Promise<boolean> {
  const { rows } = await executor.execute(
    sql`select i.id from invocation i where ${isUnread(runId)} limit ${BATCH_WITH_SECRETS}`,
  );
  if (rows.length === 0) return true;
  const ids = (rows as unknown as { id: string }[]).map(({ id }) => id);
  const texts = await readBeginnings(executor, new Map(ids.map((id) => [id, secrets])), MOST);
  const beginnings = sql.param(
    ids.map((id) => {
      const { stdout = '', stderr = '' } = texts.get(id) ?? {};
      return (stdout + stderr).toWellFormed();
    }),
  );
  // How long a secret is, is nobody's business either.
  const shown = sql`regexp_replace(${withoutEscapes(sql`hidden.text`)}, '•+', ${MASK}::text, 'g')`;
  const said = sql`select ${shown} as text from unnest(${sql.param(ids)}::uuid[], ${beginnings}::text[]) as hidden(id, text)
    where hidden.id = ended.id`;
  await executor.execute(
    keep(runId, sql`i.id = any(${sql.param(ids)}::uuid[]) and ${isUnread(runId)}`, said),
  );
  return rows.length < BATCH_WITH_SECRETS;
}

const isUnread = (runId: string): SQL => sql`i.run_id = ${runId} and i.ended_at is not null
  and not exists (select 1 from invocation_answer a where a.invocation_id = i.id)`;

const beginningOf = (stream: keyof typeof MOST): SQL => sql`
  (select left(string_agg(text, '' order by "offset"), ${MOST[stream]}::int) from invocation_output
   where invocation_id = ended.id and stream = ${stream} and "offset" < ${MOST[stream]}::int)`;

/** @param said a query for the `text` of a row of `ended` */
function keep(runId: string, which: SQL, said: SQL): SQL {
  const named = withReplaced(
    withoutEscapes(sql`said.text`),
    ['serial_number', 'instance_id', 'name'].map((column) => {
      const value = sql`ended.${sql.identifier(column)}`;
      // Nothing is ever equal to null, and replacing null would make everything null.
      const from = sql`case when length(${value}) >= ${MIN_NAME_CHARACTERS} then ${value} else chr(1) end`;
      return { from, to: '<device>' };
    }),
  );
  return sql`
    with ended as materialized (
      select i.id, i.device_id, i.status_details, i.response_code, i.output_preview, i.instance_id, d.serial_number,
             d.name
      from invocation i join device d on d.id = i.device_id
      where ${which}),
    answer as materialized (
      select ended.*, ${normalised(named)} as normal from ended, lateral (${said}) said),
    hashed as materialized (
      select *, encode(sha256(convert_to(concat_ws(chr(10), status_details, coalesce(response_code::text, '-'), normal),
                                         'UTF8')), 'hex') as sha256
      from answer),
    kept as (
      insert into run_answer (run_id, sha256, status_details, response_code, text)
      select distinct on (sha256) ${runId}::uuid, sha256, status_details, response_code, left(normal, ${KEPT_CHARACTERS}::int)
      from hashed
      on conflict do nothing)
    insert into invocation_answer (invocation_id, run_id, device_id, sha256)
    select id, ${runId}::uuid, device_id, sha256 from hashed
    on conflict do nothing`;
}
