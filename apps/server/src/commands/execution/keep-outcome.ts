import { sql, type SQL } from 'drizzle-orm';
import { countedAsErrors } from './run-state-machine.ts';

/** Whether an invocation `i` says something about its document: it succeeded or failed. */
export const isOutcome = sql`
  (i.state = 'Success' or i.status_details = any(${sql.param([...countedAsErrors])}::text[]))`;

/**
 * A statement that counts what became of runs that have just ended, for the predictions of later ones.
 *
 * @param runs rows of `command_run`
 */
export const keepOutcome = (runs: SQL): SQL => sql`
  insert into run_outcome (run_id, document_name, document_version, is_undo, model, country, labels, succeeded, failed,
    ended_at)
  select r.id, r.document_name, r.document_version, r.undoes_run_id is not null, coalesce(d.model, ''), d.country,
    d.labels, count(*) filter (where i.state = 'Success'), count(*) filter (where i.state <> 'Success'), r.ended_at
  from ${runs} r join invocation i on i.run_id = r.id join device d on d.id = i.device_id
  where ${isOutcome}
  group by r.id, r.document_name, r.document_version, r.undoes_run_id, d.model, d.country, d.labels, r.ended_at`;
