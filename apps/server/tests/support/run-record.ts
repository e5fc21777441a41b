import { sql } from 'drizzle-orm';
import { isFinal, type InvocationState, type StatusDetails } from '@deviceportal/contract/states';
import type { Database } from '../../src/platform/database/database.ts';

interface InvocationTruth {
  readonly id: string;
  readonly deviceId: string;
  readonly state: InvocationState;
  readonly details: StatusDetails;
  readonly sent: boolean;
  readonly started: boolean;
  readonly ended: boolean;
}

/** A run with its invocations, read from the database. */
export interface RunRecord {
  readonly id: string;
  readonly state: string;
  readonly ended: boolean;
  readonly paused: boolean;
  readonly targets: number;
  readonly createdById: string;
  readonly command: string;
  readonly consequence: string;
  readonly counters: Readonly<Record<string, number>>;
  readonly invocations: readonly InvocationTruth[];
}

export interface TrailEvent {
  readonly runId: string;
  readonly type: string;
  readonly requestId: string | null;
  readonly invocationId: string | null;
  readonly details: string | null;
  /** An invocation that was requested and sent in one transaction. */
  readonly isSentToo: boolean;
  /** An invocation that started and ended in one transaction. */
  readonly isStartedToo: boolean;
}

/** A violated rule, and where. */
export interface Fault {
  readonly rule: string;
  readonly seen: unknown;
}

/** The given runs; by default all. */
export async function readRuns(
  { orm }: Pick<Database, 'orm'>,
  ids: readonly string[] | null = null,
): Promise<Map<string, RunRecord>> {
  const { rows } = await orm.execute(sql`
    select run.id, run.state, run.ended_at is not null as ended, run.paused_at is not null as paused,
      run.target_count as targets, run.created_by_id as "createdById", run.command, run.consequence,
      jsonb_build_object('pending', pending_count, 'inProgress', in_progress_count, 'success', success_count,
        'failed', failed_count, 'timedOut', timed_out_count, 'cancelled', cancelled_count) as counters,
      jsonb_agg(jsonb_build_object('id', one.id, 'deviceId', one.device_id, 'state', one.state,
        'details', one.status_details, 'sent', one.sent_at is not null, 'started', one.started_at is not null,
        'ended', one.ended_at is not null) order by one.id) as invocations
    from command_run as run join invocation as one on one.run_id = run.id
    where ${among(sql`run.id`, ids)} group by run.id`);
  return new Map((rows as unknown as RunRecord[]).map((row) => [row.id, row]));
}

export async function readRunTrail(
  { orm }: Pick<Database, 'orm'>,
  ids: readonly string[] | null = null,
): Promise<Map<string, TrailEvent[]>> {
  const { rows } = await orm.execute(sql`
    select run_id as "runId", type, request_id as "requestId", data->>'invocationId' as "invocationId",
      data->>'statusDetails' as details, data ? 'sentAt' as "isSentToo", data ? 'startedAt' as "isStartedToo"
    from audit_event where run_id is not null and ${among(sql`run_id`, ids)}
    order by run_id, type, data->>'invocationId', id`);
  return Map.groupBy(rows as unknown as TrailEvent[], ({ runId }) => runId);
}

const among = (column: ReturnType<typeof sql>, ids: readonly string[] | null) =>
  ids === null ? sql`true` : sql`${column} = any(${sql.param(ids)}::uuid[])`;

const counterOfState: Readonly<Record<InvocationState, string>> = {
  Pending: 'pending',
  Delayed: 'pending',
  InProgress: 'inProgress',
  Cancelling: 'inProgress',
  Success: 'success',
  Failed: 'failed',
  TimedOut: 'timedOut',
  Cancelled: 'cancelled',
};

/** Finds counters and final states that disagree with the rows. */
export function* findCounterFaults(truth: RunRecord): Generator<Fault> {
  const counted: Record<string, number> = Object.fromEntries(
    Object.values(counterOfState).map((name) => [name, 0]),
  );
  for (const { state, ended } of truth.invocations) {
    const name = counterOfState[state];
    counted[name] = (counted[name] ?? 0) + 1;
    if (ended !== isFinal(state)) yield { rule: 'an end and a state apart', seen: truth };
  }
  for (const [name, count] of Object.entries(counted))
    if (truth.counters[name] !== count)
      yield { rule: 'counters differ from the rows', seen: truth };
  if (truth.invocations.length !== truth.targets) yield { rule: 'an invocation lost', seen: truth };
  const isOver = truth.invocations.every(({ ended }) => ended);
  if (isOver !== truth.ended) yield { rule: 'a run and its invocations end apart', seen: truth };
}

const ENDS = ['command.finished', 'command.timed-out', 'command.cancelled', 'command.terminated'];

/** Finds missing and duplicate audit events of an ended run. */
export function* findTrailFaults(truth: RunRecord, trail: readonly TrailEvent[]): Generator<Fault> {
  const requests = (type: string): number =>
    new Set(trail.filter((event) => event.type === type).map(({ requestId }) => requestId)).size;
  const paused = requests('command.paused') - requests('command.resumed');
  if (paused !== Number(truth.paused))
    yield {
      rule: 'pauses and resumes that the trail does not tell',
      seen: { truth, trail },
    };
  for (const one of truth.invocations) {
    const own = trail.filter(({ invocationId }) => invocationId === one.id);
    const seen = { one, own };
    const count = (type: string): number => own.filter((event) => event.type === type).length;
    const ends = own.filter(({ type }) => ENDS.includes(type));
    if (ends.length !== 1 || ends[0]?.details !== one.details)
      yield { rule: 'an end that the trail does not tell once', seen };
    const sent = count('command.sent') + own.filter(({ isSentToo }) => isSentToo).length;
    if (sent !== Number(one.sent))
      yield { rule: 'a sending that the trail does not tell once', seen };
    // A device that is asked to cancel an unknown invocation reports no start.
    const startsUnsaid = one.started && one.state !== 'Cancelled';
    const starts = count('command.started') + own.filter(({ isStartedToo }) => isStartedToo).length;
    if (starts > 1 || (startsUnsaid && starts === 0))
      yield { rule: 'a start that the trail does not tell once', seen };
    const isCancelled = one.state === 'Cancelled' && one.details === 'Cancelled';
    if (isCancelled && ends[0]?.type === 'command.cancelled')
      if (count('command.cancel-requested') === 0) yield { rule: 'cancelled by nobody', seen };
  }
}
