import { sql } from 'drizzle-orm';
import { isFinal, type InvocationState, type StatusDetails } from '@deviceportal/contract/states';
import { limitOf } from '../../../src/commands/execution/run-state-machine.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { ModelRun, RunWorld } from './run-world.ts';

interface InvocationTruth {
  readonly id: string;
  readonly state: InvocationState;
  readonly details: StatusDetails;
  readonly sent: boolean;
  readonly started: boolean;
  readonly ended: boolean;
}

export interface RunTruth {
  readonly state: string;
  readonly ended: boolean;
  readonly paused: boolean;
  readonly counters: Readonly<Record<string, number>>;
  readonly invocations: readonly InvocationTruth[];
}

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

/** Tells what is wrong, with the history that led there. */
function broken(run: ModelRun, rule: string, seen: unknown): Error {
  return new Error(`${rule}: ${JSON.stringify(seen)} after ${JSON.stringify(run.history)}`);
}

/** Looks at every run of a world after each round and at its end. */
export class RunChecks {
  /** The ends that invocations came to. */
  readonly ends = new Set<StatusDetails>();
  readonly #world: RunWorld;
  readonly #database: Database;
  /** What had been sent when a run was first seen with too many errors, or paused. */
  readonly #sentAtStop = new Map<string, number>();
  readonly #sentAtPause = new Map<string, number>();

  constructor(world: RunWorld, database: Database) {
    this.#world = world;
    this.#database = database;
  }

  async afterRound(position: number): Promise<void> {
    const truths = await this.#read();
    for (const run of this.#world.runs) {
      const truth = truths.get(run.runId) as RunTruth;
      checkCounters(run, truth);
      checkDevices(run, truth);
      this.#checkLimits(run, truth);
      this.#checkPause(run, truth, position);
    }
  }

  /** Everything is over, and everything that happened stands in the audit trail, once. */
  async atEnd(): Promise<string> {
    const truths = await this.#read();
    const trail = await this.#trail();
    for (const run of this.#world.runs) {
      const truth = truths.get(run.runId) as RunTruth;
      checkCounters(run, truth);
      checkDevices(run, truth);
      if (!truth.ended) throw broken(run, 'a run is open past its expiry', truth);
      checkTrail(run, truth, trail.get(run.runId) ?? []);
      for (const { details } of truth.invocations) this.ends.add(details);
    }
    return JSON.stringify([[...truths], [...trail]]);
  }

  #checkLimits(run: ModelRun, truth: RunTruth): void {
    const { history, runId, devices } = run;
    const concurrency = limitOf(history.maxConcurrency, devices.length, 1);
    const errors = errorsOf(truth);
    const allowed = limitOf(history.maxErrors, devices.length, 0);
    const sent = truth.invocations.filter((one) => one.sent).length;
    if ((truth.counters['inProgress'] ?? 0) > concurrency)
      throw broken(run, 'more in flight than maxConcurrency', truth);
    if (errors > allowed + concurrency)
      throw broken(run, 'maxErrors exceeded by more than what was in flight', truth);
    if (errors <= allowed) return;
    const before = this.#sentAtStop.get(runId) ?? sent;
    if (sent > before) throw broken(run, 'sent after too many errors', truth);
    this.#sentAtStop.set(runId, before);
  }

  #checkPause(run: ModelRun, truth: RunTruth, position: number): void {
    const { runId, history } = run;
    const sent = truth.invocations.filter((one) => one.sent).length;
    const before = this.#sentAtPause.get(runId);
    const isPaused = truth.state === 'Paused';
    const isTouched = history.acts[position]?.some(({ kind }) => kind === 'resume');
    if (isPaused && before !== undefined && sent > before && !isTouched)
      throw broken(run, 'sent while paused', truth);
    if (isPaused) this.#sentAtPause.set(runId, sent);
    else this.#sentAtPause.delete(runId);
  }

  async #read(): Promise<Map<string, RunTruth>> {
    const ids = sql.param(this.#world.runs.map(({ runId }) => runId));
    const { rows } = await this.#database.orm.execute(sql`
      select run.id, run.state, run.ended_at is not null as ended, run.paused_at is not null as paused,
        jsonb_build_object('pending', pending_count, 'inProgress', in_progress_count, 'success', success_count,
          'failed', failed_count, 'timedOut', timed_out_count, 'cancelled', cancelled_count) as counters,
        jsonb_agg(jsonb_build_object('id', one.id, 'state', one.state, 'details', one.status_details,
          'sent', one.sent_at is not null, 'started', one.started_at is not null,
          'ended', one.ended_at is not null) order by one.id) as invocations
      from command_run as run join invocation as one on one.run_id = run.id
      where run.id = any(${ids}::uuid[]) group by run.id`);
    return new Map((rows as unknown as (RunTruth & { id: string })[]).map((row) => [row.id, row]));
  }

  async #trail(): Promise<Map<string, TrailEvent[]>> {
    const ids = sql.param(this.#world.runs.map(({ runId }) => runId));
    const { rows } = await this.#database.orm.execute(sql`
      select run_id as "runId", type, request_id as "requestId", data->>'invocationId' as "invocationId",
        data->>'statusDetails' as details, data ? 'sentAt' as "isSentToo", data ? 'startedAt' as "isStartedToo"
      from audit_event where run_id = any(${ids}::uuid[]) order by run_id, type, data->>'invocationId', id`);
    return Map.groupBy(rows as unknown as TrailEvent[], ({ runId }) => runId);
  }
}

interface TrailEvent {
  readonly runId: string;
  readonly type: string;
  readonly requestId: string | null;
  readonly invocationId: string | null;
  readonly details: string | null;
  /** A request that was sent by the same transaction. */
  readonly isSentToo: boolean;
  /** An end whose start came with it. */
  readonly isStartedToo: boolean;
}

const errorsOf = ({ invocations }: RunTruth): number =>
  invocations.filter(({ details }) => details === 'Failed' || details === 'Execution Timed Out')
    .length;

function checkCounters(run: ModelRun, truth: RunTruth): void {
  const counted: Record<string, number> = Object.fromEntries(
    Object.values(counterOfState).map((name) => [name, 0]),
  );
  for (const { state } of truth.invocations) {
    const name = counterOfState[state];
    counted[name] = (counted[name] ?? 0) + 1;
  }
  for (const [name, count] of Object.entries(counted))
    if (truth.counters[name] !== count) throw broken(run, 'counters differ from the rows', truth);
  const isOver = truth.invocations.every(({ ended }) => ended);
  if (isOver !== truth.ended) throw broken(run, 'a run and its invocations end apart', truth);
}

function checkDevices(run: ModelRun, truth: RunTruth): void {
  for (const one of truth.invocations) {
    const device = run.devices[run.invocationIds.indexOf(one.id)];
    const begun = device?.begun.get(one.id) ?? 0;
    if (begun > 1) throw broken(run, 'begun twice on a device', truth);
    if (begun > 0 && !one.sent) throw broken(run, 'begun and never sent', truth);
    if (one.ended !== isFinal(one.state)) throw broken(run, 'an end and a state apart', truth);
    const said = device?.said.get(one.id);
    if (one.state === 'Success' && said !== 'Success')
      throw broken(run, 'a success that no device has spoken of', truth);
  }
}

const ENDS = ['command.finished', 'command.timed-out', 'command.cancelled', 'command.terminated'];

function checkTrail(run: ModelRun, truth: RunTruth, trail: readonly TrailEvent[]): void {
  const requests = (type: string): number =>
    new Set(trail.filter((event) => event.type === type).map(({ requestId }) => requestId)).size;
  const paused = requests('command.paused') - requests('command.resumed');
  if (paused !== Number(truth.paused))
    throw broken(run, 'pauses and resumes that the trail does not tell', { truth, trail });
  for (const one of truth.invocations) {
    const own = trail.filter(({ invocationId }) => invocationId === one.id);
    const count = (type: string): number => own.filter((event) => event.type === type).length;
    const ends = own.filter(({ type }) => ENDS.includes(type));
    if (ends.length !== 1 || ends[0]?.details !== one.details)
      throw broken(run, 'an end that the trail does not tell once', { one, own });
    const sent = count('command.sent') + own.filter(({ isSentToo }) => isSentToo).length;
    if (sent !== Number(one.sent))
      throw broken(run, 'a sending that the trail does not tell once', { one, own });
    // Who is told to cancel what it has never seen has started nothing, and says so.
    const startsUnsaid = one.started && one.state !== 'Cancelled';
    const starts = count('command.started') + own.filter(({ isStartedToo }) => isStartedToo).length;
    if (starts > 1 || (startsUnsaid && starts === 0))
      throw broken(run, 'a start that the trail does not tell once', { one, own });
    if (
      one.state === 'Cancelled' &&
      one.details === 'Cancelled' &&
      ends[0]?.type === 'command.cancelled'
    )
      if (count('command.cancel-requested') === 0)
        throw broken(run, 'cancelled by nobody', { one, own });
  }
}
