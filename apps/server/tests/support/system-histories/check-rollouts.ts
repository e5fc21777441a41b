import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Fault } from '../run-record.ts';
import type { GivenApproval } from './rollout-actions.ts';

/** An invocation sent by a rollout. */
interface Sending {
  readonly airBlastId: string;
  readonly invocationId: string;
  readonly deviceId: string;
  readonly step: string;
  readonly kind: string;
  readonly document: string;
  readonly parameters: Record<string, unknown>;
  readonly consequence: string;
  readonly createdById: string;
  readonly operatorId: string;
  /** Over all of its waves. */
  readonly devices: number;
}

/** Invocations among these that rollouts have sent. */
async function readSendings(
  { orm }: Pick<Database, 'orm'>,
  invocationIds: readonly string[],
): Promise<Sending[]> {
  const { rows } = await orm.execute(sql`
    select w.air_blast_id as "airBlastId", i.id as "invocationId", i.device_id as "deviceId", w.step, w.kind,
      r.document_name || ':' || r.document_version as document, r.masked_parameters as parameters, r.consequence,
      a.created_by_id as "createdById", r.created_by_id as "operatorId",
      (select count(distinct d)::int from air_blast_wave o, unnest(o.device_ids) as d
        where o.air_blast_id = w.air_blast_id and o.revision = w.revision and o.kind = 'change') as devices
    from invocation i join command_run r on r.id = i.run_id
    join air_blast_wave w on w.run_key = r.idempotency_key
    join air_blast a on a.id = w.air_blast_id
    where i.id = any(${sql.param(invocationIds)}::uuid[])`);
  return rows as unknown as Sending[];
}

/** Finds invocations that require a second person and that no second person has seen and approved as they were sent. */
export async function findApprovalFaults(
  database: Pick<Database, 'orm'>,
  {
    sent,
    approvals,
    approvalDevices,
  }: {
    readonly sent: readonly string[];
    readonly approvals: readonly GivenApproval[];
    readonly approvalDevices: number;
  },
): Promise<Fault[]> {
  if (sent.length === 0) return [];
  const sendings = await readSendings(database, sent);
  return sendings
    .filter(
      ({ consequence, step, devices }) =>
        consequence === 'destroys' || (devices >= approvalDevices && step !== 'canary'),
    )
    .filter((sending) => !approvals.some((approval) => covers(approval, sending)))
    .map((sending) => ({
      rule: 'sent without an approval of just that',
      seen: {
        sending,
        approvals: approvals.filter((one) => one.airBlastId === sending.airBlastId),
      },
    }));
}

const covers = ({ airBlastId, byId, plan }: GivenApproval, sending: Sending): boolean =>
  airBlastId === sending.airBlastId &&
  byId !== sending.createdById &&
  byId !== sending.operatorId &&
  plan.document === sending.document &&
  plan.parameters === JSON.stringify(sending.parameters) &&
  plan.deviceIds.has(sending.deviceId);

/** Finds rollouts that have neither ended nor require an action, when nothing happens automatically any longer. */
export async function findStuckRollouts({ orm }: Pick<Database, 'orm'>): Promise<Fault[]> {
  const { rows } = await orm.execute(sql`
    select a.id, a.state, a.step, a.step_state,
      (select jsonb_agg(w.*) from air_blast_wave w where w.air_blast_id = a.id) as waves
    from air_blast a
    where (a.step_state = 'running' and a.state <> 'paused')
      or (a.state = 'aborted' and exists (
        select from air_blast_wave w where w.air_blast_id = a.id and w.opened_at is not null and w.ended_at is null
          and w.run_id is not null and w.revision = a.revision))`);
  return rows.map((seen) => ({ rule: 'a rollout is stuck', seen }));
}
