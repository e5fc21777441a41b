import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { sql } from 'drizzle-orm';
import { systemActor } from '../../../src/audit-trail/record-audit.ts';
import { cancelRun } from '../../../src/commands/cancel-run.ts';
import type { CommandsDeps } from '../../../src/commands/commands-deps.ts';
import { requestCancel } from '../../../src/commands/execution/request-cancel.ts';
import { terminateInvocations } from '../../../src/commands/execution/terminate-invocations.ts';
import { pauseRun, resumeRun } from '../../../src/commands/pause-run.ts';
import type { DownMessage } from '../../../src/gateway/device-transport.ts';
import type { Change } from '../../../src/platform/change-feed.ts';
import { inTransaction, type Database } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import type { Action, History, Round } from './history.ts';
import type { ModelDevice } from './model-device.ts';
import { ServerKilled } from '../crash-injector.ts';
import { CrashableServer } from './crashable-server.ts';
import { seedRuns } from './seed-runs.ts';
import type { ModelRun } from './model-run.ts';

export interface RunFixtureOptions {
  readonly database: Database;
  readonly deps: CommandsDeps;
  readonly operator: Viewer;
}

/** Two servers on one database, many concurrent runs, and an unreliable network between them and their devices. */
export class RunFixture implements AsyncDisposable {
  readonly runs: readonly ModelRun[];
  readonly #options: RunFixtureOptions;
  readonly #servers: CrashableServer[];
  readonly #devices = new Map<string, { readonly run: ModelRun; readonly device: ModelDevice }>();
  #turn = 0;
  #told = 0;

  private constructor(options: RunFixtureOptions, runs: readonly ModelRun[]) {
    this.#options = options;
    this.runs = runs;
    for (const run of runs)
      for (const device of run.devices) this.#devices.set(device.deviceId, { run, device });
    this.#servers = [this.#start(), this.#start()];
  }

  static async create(
    options: RunFixtureOptions,
    histories: readonly History[],
  ): Promise<RunFixture> {
    return new RunFixture(options, await seedRuns(options.database, histories));
  }

  /** All concurrent actions of this round, together with the servers' own work. */
  async play(position: number, round: Round): Promise<void> {
    const actions = this.runs.flatMap((run) =>
      (run.history.actions[position] ?? []).map((action) => ({ run, action })),
    );
    await this.#moveTime(actions);
    await this.#connect(actions);
    if (round.kill) this.#servers[round.kill.server]?.killAfter(round.kill.afterStatements);
    const work = actions.map(({ run, action }) => this.#do(run, action));
    for (const index of round.polls) work.push(this.#server(index).dispatcher.poll());
    const outcomes = await Promise.allSettled(work);
    await this.#quiet();
    this.#requireNoFault(outcomes);
    await this.#replaceDead();
  }

  /** After all timeouts, and after the servers have polled often enough. */
  async end(): Promise<void> {
    await this.#moveTime(
      this.runs.map((run) => ({ run, action: { kind: 'wait', seconds: 10_000 } })),
    );
    for (let turn = 0; turn < 3; turn += 1) {
      await this.#server(turn).dispatcher.poll();
      await this.#quiet();
    }
  }

  /** Everything in transit arrives, and every device resends what is unacknowledged. */
  async speakLate(): Promise<void> {
    await Promise.all(
      this.runs.flatMap(({ devices }) =>
        devices.flatMap((device) => {
          const messages = [...device.overdue, ...device.report('twice')];
          return messages.map((message) => this.#take(device, message));
        }),
      ),
    );
    await this.#quiet();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
  }

  #start(): CrashableServer {
    const server: CrashableServer = new CrashableServer(this.#options.database, {
      publish: (messages) => this.#carry(messages),
      tell: (changes) => this.#tellOther(server, changes),
    });
    return server;
  }

  #server(index: number): CrashableServer {
    return this.#servers[index % 2] as CrashableServer;
  }

  /** The next server, alternating. */
  #next(): CrashableServer {
    this.#turn += 1;
    return this.#server(this.#turn);
  }

  /** Passes most changes to the other server, immediately. */
  #tellOther(teller: CrashableServer, changes: readonly Change[]): void {
    this.#told += 1;
    if (this.#told % 5 === 0) return;
    for (const server of this.#servers) if (server !== teller) server.hear(changes);
  }

  #carry(messages: readonly DownMessage[]): void {
    for (const message of messages) {
      const known = this.#devices.get(message.deviceId);
      if (known?.device.isOnline) known.device.inbox.push({ message, aheadMs: known.run.aheadMs });
    }
  }

  /** Runs alone, because all share the clock. */
  async #moveTime(
    actions: readonly { readonly run: ModelRun; readonly action: Action }[],
  ): Promise<void> {
    const seconds = new Map<string, number>();
    for (const { run, action } of actions) {
      if (action.kind !== 'wait') continue;
      run.aheadMs += action.seconds * 1_000;
      seconds.set(run.runId, (seconds.get(run.runId) ?? 0) + action.seconds);
    }
    if (seconds.size === 0) return;
    const moved = [...seconds].map(([id, own]) => ({ id, seconds: own }));
    const by = sql`jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as moved(id uuid, seconds integer)`;
    const back = sql.raw('make_interval(secs => moved.seconds)');
    const { orm } = this.#options.database;
    await orm.execute(sql`
      update command_run as run set created_at = created_at - ${back}, deliver_before = deliver_before - ${back},
        expires_at = expires_at - ${back}
      from ${by} where run.id = moved.id`);
    await orm.execute(sql`
      update invocation as one set queued_at = queued_at - ${back}, sent_at = sent_at - ${back},
        started_at = started_at - ${back}, cancel_requested_at = cancel_requested_at - ${back},
        deliver_before = deliver_before - ${back}, expires_at = expires_at - ${back}
      from ${by} where one.run_id = moved.id and one.ended_at is null`);
    await orm.execute(sql`
      update device_status as status set connectivity_since = connectivity_since - ${back}
      from ${by}, invocation as one where one.run_id = moved.id and status.device_id = one.device_id`);
  }

  async #connect(
    actions: readonly { readonly run: ModelRun; readonly action: Action }[],
  ): Promise<void> {
    const online: string[] = [];
    const offline: string[] = [];
    for (const { run, action } of actions) {
      if (action.kind !== 'connect' && action.kind !== 'vanish' && action.kind !== 'wipe') continue;
      const device = deviceOf(run, action.device);
      if (device.isRetired) continue;
      device.disconnect();
      device.isOnline = action.kind === 'connect';
      (device.isOnline ? online : offline).push(device.deviceId);
    }
    const { orm } = this.#options.database;
    for (const [state, ids] of [
      ['online', online],
      ['offline', offline],
    ] as const)
      await orm.execute(sql`
        update device_status set connectivity = ${state}, connectivity_since = now()
        where device_id = any(${sql.param(ids)}::uuid[])`);
    this.#next().dispatcher.devicesConnected(online);
  }

  async #do(run: ModelRun, action: Action): Promise<unknown> {
    if (!('device' in action)) return this.#person(run, action);
    const device = deviceOf(run, action.device);
    switch (action.kind) {
      case 'deliver':
        return device.deliver(action.pick, action.fate, run.aheadMs);
      case 'work':
        return device.work(action.end);
      case 'report':
        return Promise.all(
          device.report(action.fate).map((message) => this.#take(device, message)),
        );
      case 'overdue':
        return Promise.all(device.overdue.splice(0).map((message) => this.#take(device, message)));
      case 'wipe':
        return this.#wipe(device);
      case 'retire':
        return this.#retire(device);
      case 'cancel-one': {
        const own = run.invocationIds[run.devices.indexOf(device)] ?? '';
        const server = this.#next();
        const outcome = await inTransaction(server.database, (tx) =>
          requestCancel(tx, {
            target: { invocationIds: [own] },
            actor: systemActor,
            requestId: null,
          }),
        );
        return server.changes.publish(outcome.changes);
      }
      default:
    }
  }

  async #person(run: ModelRun, action: Action): Promise<unknown> {
    const server = this.#next();
    const { deps, operator } = this.#options;
    const served = { ...deps, database: server.database, changes: server.changes };
    const input = { id: run.runId, origin: { requestId: newId(), address: '192.0.2.7' } };
    if (action.kind === 'pause') return pauseRun(served, operator, input);
    if (action.kind === 'resume') return resumeRun(served, operator, input);
    if (action.kind === 'cancel') return cancelRun(served, operator, input);
  }

  #take(device: ModelDevice, message: object): Promise<unknown> {
    const payload = Buffer.from(JSON.stringify(message));
    return this.#next().ingest.take({ deviceId: device.deviceId, payload });
  }

  /** Like `enrollDevice` for a device that reconnects with an empty disk. */
  async #wipe(device: ModelDevice): Promise<void> {
    if (device.isRetired) return;
    const server = this.#next();
    const { deviceId } = device;
    const instanceId = newInstanceId();
    await inTransaction(server.database, async (tx) => {
      await tx.execute(sql`select 1 from device where id = ${deviceId} for update`);
      await tx.execute(sql`
        update device_instance set state = 'superseded' where device_id = ${deviceId} and state = 'current'`);
      await tx.execute(sql`
        insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version, architecture,
          agent_version, host_name, certificate_fingerprint, certificate_ends_at)
        values (${instanceId}, ${deviceId}, 'current', 'Linux', 'Test', '1', 'x64', '1.0.0', '', '', now())`);
      await tx.execute(
        sql`update device_status set instance_id = ${instanceId} where device_id = ${deviceId}`,
      );
    });
    device.begin(instanceId);
    server.changes.publish([{ kind: 'devices-blocked', deviceIds: [deviceId] }]);
    server.changes.publish(await terminateInvocations(server.database, [deviceId]));
  }

  async #retire(device: ModelDevice): Promise<void> {
    const server = this.#next();
    const { deviceId } = device;
    await inTransaction(server.database, async (tx) => {
      await tx.execute(sql`update device set lifecycle = 'retired' where id = ${deviceId}`);
      await tx.execute(
        sql`update device_status set lifecycle = 'retired', connectivity = 'offline' where device_id = ${deviceId}`,
      );
    });
    device.isRetired = true;
    device.disconnect();
    server.changes.publish([{ kind: 'devices-blocked', deviceIds: [deviceId] }]);
  }

  /** Resolves when both servers are idle. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 3;) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      calm = this.#servers.some((server) => server.isBusy && !server.isDead) ? 0 : calm + 1;
    }
  }

  /** Errors of killed servers are expected; all others are faults, including retried deadlocks. */
  #requireNoFault(outcomes: readonly PromiseSettledResult<unknown>[]): void {
    const reasons: unknown[] = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
    reasons.push(...this.#servers.flatMap(({ complaints }) => complaints));
    const faults = reasons.filter((reason) => !(reason instanceof ServerKilled));
    if (faults.length > 0) throw new AggregateError(faults, String(faults[0]));
  }

  async #replaceDead(): Promise<void> {
    for (const [index, server] of this.#servers.entries()) {
      if (!server.isDead) continue;
      await server[Symbol.asyncDispose]();
      this.#servers[index] = this.#start();
    }
  }
}

const deviceOf = (run: ModelRun, position: number): ModelDevice =>
  run.devices[position % run.devices.length] as ModelDevice;
