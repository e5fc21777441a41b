import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  answerReferenceInput,
  RunAnswer,
  RunAnswers,
} from '@deviceportal/contract/run-answers';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { maskSecrets } from '../output/mask-secrets.ts';
import { readAnswers } from './read-answers.ts';
import { findStoredRun, type StoredRun } from '../run-store.ts';

const MOST_ANSWERS = 100;
const PREVIEW_CHARACTERS = 2_500;
const SAMPLE = 3;

/**
 * What the devices of a run said, each distinct answer once. Reads what has ended since the last time; a large run
 * takes several calls.
 *
 * @throws PortalError 5000 when there is no such run within the viewer's scope
 */
export async function listAnswers(
  deps: CommandsDeps,
  viewer: Viewer,
  runId: string,
): Promise<RunAnswers> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const run = await requireRun(deps, viewer, runId);
  await readAnswers(deps, run);
  const inScope = deviceScopeCondition(scopes);
  const { rows } = await deps.database.orm.execute(sql`
    with counted as materialized (
      select a.sha256, count(*)::int as count from invocation_answer a join device d on d.id = a.device_id
      where a.run_id = ${runId} and ${inScope} group by a.sha256)
    select (select count(*)::int from counted) as distinct,
      (select count(*)::int from invocation i join device d on d.id = i.device_id
       where i.run_id = ${runId} and i.ended_at is not null and ${inScope})
        - coalesce((select sum(count)::int from counted), 0) as unread,
      coalesce((select jsonb_agg(answer order by count desc, sha256) from (
        select c.sha256, c.count, r.status_details as "statusDetails", r.response_code as "responseCode",
               left(r.text, ${PREVIEW_CHARACTERS}::int) as text, ${sampleOf(runId, viewer)} as sample
        from (select * from counted order by count desc, sha256 limit ${MOST_ANSWERS}) c
        join run_answer r on r.run_id = ${runId} and r.sha256 = c.sha256) answer), '[]') as answers`);
  const found = rows[0] as unknown as RunAnswers;
  return { ...found, answers: found.answers.map((answer) => masked(deps, run, answer)) };
}

/**
 * One answer with more of its text.
 *
 * @throws PortalError 5000 when there is no such answer within the viewer's scope
 */
export async function getAnswer(
  deps: CommandsDeps,
  viewer: Viewer,
  { runId, sha256 }: z.infer<typeof answerReferenceInput>,
): Promise<RunAnswer> {
  const run = await requireRun(deps, viewer, runId);
  const inScope = deviceScopeCondition(scopesOf(viewer.grants, ['commands:read']));
  const { rows } = await deps.database.orm.execute(sql`
    select c.sha256, c.count, r.status_details as "statusDetails", r.response_code as "responseCode", r.text,
           ${sampleOf(runId, viewer)} as sample
    from (select a.sha256, count(*)::int as count from invocation_answer a join device d on d.id = a.device_id
          where a.run_id = ${runId} and a.sha256 = ${sha256} and ${inScope} group by a.sha256) c
    join run_answer r on r.run_id = ${runId} and r.sha256 = c.sha256`);
  const answer = rows[0] as unknown as RunAnswer | undefined;
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

/** Whole secrets are hidden before an answer is stored; its text may have been cut in the middle of one. */
function masked({ vault }: CommandsDeps, run: StoredRun, answer: RunAnswer): RunAnswer {
  return { ...answer, text: maskSecrets(answer.text, vault.secretTexts(run.id, run.parameters)) };
}

function sampleOf(runId: string, viewer: Viewer) {
  const inScope = deviceScopeCondition(scopesOf(viewer.grants, ['commands:read']));
  return sql`(select jsonb_agg(jsonb_build_object(
      'invocationId', first.invocation_id, 'serialNumber', first.serial_number, 'name', first.name))
    from (select a.invocation_id, d.serial_number, d.name from invocation_answer a join device d on d.id = a.device_id
          where a.run_id = ${runId} and a.sha256 = c.sha256 and ${inScope}
          order by a.device_id limit ${SAMPLE}) first)`;
}
