import type { StatusDetails } from '@deviceportal/contract/states';
import { limitOf } from '../../../src/commands/execution/run-state-machine.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import {
  findCounterFaults,
  findTrailFaults,
  readRuns,
  readRunTrail,
  type Fault,
  type RunRecord,
} from '../run-record.ts';
import type { RunFixture } from './run-fixture.ts';
import type { ModelRun } from './model-run.ts';

/** Fails with the violated rule and the history that led to it. */
function broken(run: ModelRun, rule: string, seen: unknown): Error {
  return new Error(`${rule}: ${JSON.stringify(seen)} after ${JSON.stringify(run.history)}`);
}

function requireNone(run: ModelRun, faults: Iterable<Fault>): void {
  for (const { rule, seen } of faults) throw broken(run, rule, seen);
}

/** Checks every run of a fixture after each round and at its end. */
export class RunChecks {
  /** Final states of invocations. */
  readonly ends = new Set<StatusDetails>();
  readonly #fixture: RunFixture;
  readonly #database: Database;
  /** Number of sent invocations when a run was first seen paused or with too many errors. */
  readonly #sentAtStop = new Map<string, number>();
  readonly #sentAtPause = new Map<string, number>();

  constructor(fixture: RunFixture, database: Database) {
    this.#fixture = fixture;
    this.#database = database;
  }

  async afterRound(position: number): Promise<void> {
    const truths = await this.#read();
    for (const run of this.#fixture.runs) {
      const truth = truths.get(run.runId) as RunRecord;
      requireNone(run, findCounterFaults(truth));
      checkDevices(run, truth);
      this.#checkLimits(run, truth);
      this.#checkPause(run, truth, position);
    }
  }

  /** Expects all runs to have ended, and every event to be in the audit trail once. */
  async atEnd(): Promise<string> {
    const truths = await this.#read();
    const ids = this.#fixture.runs.map(({ runId }) => runId);
    const trail = await readRunTrail(this.#database, ids);
    for (const run of this.#fixture.runs) {
      const truth = truths.get(run.runId) as RunRecord;
      requireNone(run, findCounterFaults(truth));
      checkDevices(run, truth);
      if (!truth.ended) throw broken(run, 'a run is open past its expiry', truth);
      requireNone(run, findTrailFaults(truth, trail.get(run.runId) ?? []));
      for (const { details } of truth.invocations) this.ends.add(details);
    }
    return JSON.stringify([[...truths], [...trail]]);
  }

  #checkLimits(run: ModelRun, truth: RunRecord): void {
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

  #checkPause(run: ModelRun, truth: RunRecord, position: number): void {
    const { runId, history } = run;
    const sent = truth.invocations.filter((one) => one.sent).length;
    const before = this.#sentAtPause.get(runId);
    const isPaused = truth.state === 'Paused';
    const isTouched = history.actions[position]?.some(({ kind }) => kind === 'resume');
    if (isPaused && before !== undefined && sent > before && !isTouched)
      throw broken(run, 'sent while paused', truth);
    if (isPaused) this.#sentAtPause.set(runId, sent);
    else this.#sentAtPause.delete(runId);
  }

  #read(): Promise<Map<string, RunRecord>> {
    return readRuns(
      this.#database,
      this.#fixture.runs.map(({ runId }) => runId),
    );
  }
}

const errorsOf = ({ invocations }: RunRecord): number =>
  invocations.filter(({ details }) => details === 'Failed' || details === 'Execution Timed Out')
    .length;

function checkDevices(run: ModelRun, truth: RunRecord): void {
  for (const one of truth.invocations) {
    const device = run.devices[run.invocationIds.indexOf(one.id)];
    const begun = device?.begun.get(one.id) ?? 0;
    if (begun > 1) throw broken(run, 'begun twice on a device', truth);
    if (begun > 0 && !one.sent) throw broken(run, 'begun and never sent', truth);
    const said = device?.said.get(one.id);
    if (one.state === 'Success' && said !== 'Success')
      throw broken(run, 'a success that no device has spoken of', truth);
  }
}
