import { setTimeout as sleep } from 'node:timers/promises';
import { upsertRunRules } from '../../../src/commands/data/runs/run-rule-queries.ts';
import { ensureAuditMonths } from '../../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { sealAuditTrail } from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import {
  archiveAuditMonths,
  type ArchiveDeps,
} from '../../../src/audit-trail/archive/archive-audit-months.ts';
import type { VerifySources } from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import type { Change } from '../../../src/platform/change-feed.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { TestDatabase } from '../database/copy-database.ts';
import { readRuns, type Fault, type RunRecord } from '../run-record.ts';
import { findApprovalFaults } from './check-rollouts.ts';
import { findUnapprovedRuns } from './check-run-approvals.ts';
import { findCallFaults, findSendingFaults, readRights, type Rights } from './check-rights.ts';
import {
  SERVERS,
  jobs,
  type Action,
  type DeviceAction,
  type UserAction,
  type Round,
  type SystemScript,
} from './history.ts';
import { createInstallation } from './installation.ts';
import { LossyBroker } from './lossy-broker.ts';
import { UserActions } from './user-actions.ts';
import { UserCalls } from './user-calls.ts';
import type { Coverage } from './coverage.ts';
import { createHistoryUsers, type HistoryUsers } from './history-users.ts';
import { SystemClock } from './system-clock.ts';
import { SystemServer } from './system-server.ts';

export interface SystemOptions {
  readonly test: TestDatabase;
  readonly script: SystemScript;
  /** Where the files of old months are, and what reads them. */
  readonly archive: Pick<VerifySources & ArchiveDeps, 'analytics' | 'archive' | 'scratchDir'>;
  readonly coverage: Coverage;
}

interface Player {
  readonly cast: HistoryUsers;
  readonly calls: UserCalls;
  readonly people: UserActions;
}

const isDeviceAction = (action: Action): action is DeviceAction => !('who' in action);

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** Several servers on one database, a broker between them and their devices, and people who work with all of it. */
export class System implements AsyncDisposable {
  readonly players: readonly Player[];
  readonly broker: LossyBroker;
  readonly #options: SystemOptions;
  readonly #clock: SystemClock;
  readonly #installation = createInstallation();
  readonly #servers: SystemServer[] = [];
  readonly #sent = new Set<string>();
  #turn = 0;
  #told = 0;

  private constructor(
    options: SystemOptions,
    clock: SystemClock,
    { broker, casts }: { readonly broker: LossyBroker; readonly casts: readonly HistoryUsers[] },
  ) {
    this.#options = options;
    this.#clock = clock;
    this.broker = broker;
    this.players = casts.map((cast) => {
      const calls = new UserCalls(cast, options.test.database, {
        ask: (subject, path, input) => this.#next().call(subject, path, input),
        coverage: options.coverage,
      });
      return { cast, calls, people: new UserActions(calls) };
    });
  }

  static async start(options: SystemOptions): Promise<System> {
    const { database } = options.test;
    const clock = await SystemClock.start(options.test);
    const broker = new LossyBroker();
    await ensureAuditMonths(options.test.database.orm, new Date(clock.nowMs));
    const casts = await createHistoryUsers(database, options.script.histories, broker);
    const system = new System(options, clock, { broker, casts });
    await inTransaction(database, (tx) =>
      upsertRunRules(tx, system.#installation.runRules, { by: 'root', at: new Date(clock.nowMs) }),
    );
    for (let index = 0; index < SERVERS; index += 1) await system.#replace(index);
    for (const device of casts.flatMap((cast) => cast.devices)) device.connect();
    await system.#quiet();
    return system;
  }

  /** Everything that happens in this round of all histories, at once. Answers what is wrong then. */
  async play(position: number): Promise<Fault[]> {
    const round = this.#options.script.rounds[position] as Round;
    await this.#clock.turn(round.clockMs);
    const before = await this.#rights();
    for (const [index, server] of this.#servers.entries()) server.skewMs = round.skewMs[index] ?? 0;
    for (const [index, device] of this.#devices.entries()) {
      if ((index + position) % 2 === 0) device.comeBack();
      device.heartbeat();
    }
    if (round.kill) this.#servers[round.kill.server]?.killAfter(round.kill.afterStatements);
    const work = this.players.flatMap(({ cast, people }) =>
      (cast.history.actions[position] ?? []).map((action) => this.#act({ cast, people }, action)),
    );
    for (const [index, own] of round.jobs.entries())
      for (const job of own) work.push(this.#server(index).work(job));
    await Promise.all(work);
    await this.#quiet();
    return this.#endRound(before);
  }

  /** Everybody is well again, and everything that is under way comes to its end. Answers what is wrong meanwhile. */
  async settle(): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const server of this.#servers) server.skewMs = 0;
    for (const device of this.#devices) device.settle();
    // What goes on by itself; what waits for its delivery; what waits for its time-out or
    // its approval; and whatever that leads to.
    for (const byMs of [
      40 * SECOND,
      40 * SECOND,
      40 * SECOND,
      HOUR,
      HOUR,
      DAY,
      2 * HOUR,
      40 * SECOND,
    ]) {
      await this.#clock.turn(byMs);
      const before = await this.#rights();
      for (const device of this.#devices) device.connect();
      await this.#quiet();
      for (const device of this.#devices) device.heartbeat();
      for (const server of this.#servers) {
        for (const job of jobs) await server.work(job);
        await this.#quiet();
      }
      faults.push(...(await this.#endRound(before)));
    }
    return faults;
  }

  /** Every device's words again, long after: nothing may come of them. */
  async repeatEverything(): Promise<void> {
    for (const message of this.broker.said) void this.broker.carry(message);
    await this.#quiet();
  }

  /** Seals everything once the servers have stopped; months later the old months are files. */
  async seal({ archives }: { readonly archives: boolean }): Promise<VerifySources> {
    // Servers write by real time as well: what devices sent beyond their limits, every five seconds.
    await this.#stopServers();
    const { database } = this.#options.test;
    const { auditSigner } = this.#installation;
    const clock = (): Date => new Date(this.#clock.nowMs);
    const sealAll = async (): Promise<void> => {
      while ((await sealAuditTrail({ database, signer: auditSigner, clock }, 500)) > 0);
    };
    await sealAll();
    const sources = {
      database,
      ...this.#options.archive,
      trustedKeys: auditSigner.trustedKeys,
      keptDays: 365,
    };
    if (archives) {
      await this.#clock.turn(70 * DAY);
      await ensureAuditMonths(database.orm, clock());
      await archiveAuditMonths(sources, new Date(this.#clock.nowMs - 30 * DAY));
      await sealAll();
    }
    return sources;
  }

  /** Scripts that were begun twice, and people who changed a device at the same time. */
  findDeviceFaults(): Fault[] {
    return this.#devices.flatMap(({ deviceId, machine }) => [
      ...[...machine.begun]
        .filter(([, count]) => count > 1)
        .map(([script, count]) => ({
          rule: 'begun twice on a device',
          seen: { deviceId, script, count },
        })),
      ...machine.collisions.map((seen) => ({ rule: 'two people changed a device at once', seen })),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#devices.map((device) => device.shutDown()));
    await this.#stopServers();
    await this.#clock[Symbol.asyncDispose]();
  }

  async #stopServers(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
  }

  get #devices() {
    return this.players.flatMap(({ cast }) => cast.devices);
  }

  #server(index: number): SystemServer {
    return this.#servers[index % SERVERS] as SystemServer;
  }

  /** Whichever is asked: one that is alive, as long as there is one. */
  #next(): SystemServer {
    this.#turn += 1;
    const server = this.#server(this.#turn);
    return server.isDead ? this.#server(this.#turn + 1) : server;
  }

  async #act({ cast, people }: Pick<Player, 'cast' | 'people'>, action: Action): Promise<void> {
    if (!isDeviceAction(action)) return people.perform(action as UserAction);
    const device = cast.devices[action.device];
    switch (action.kind) {
      case 'connect':
        return device?.connect();
      case 'vanish':
        return device?.vanish();
      case 'shut-down':
        return device?.shutDown();
      case 'crash':
        return device?.crash();
      case 'late':
        return device?.releaseLate();
      case 'heartbeat':
        return device?.heartbeat();
      case 'work':
        return device?.machine.work(action.exitCode);
    }
  }

  async #endRound(before: Rights): Promise<Fault[]> {
    const { database } = this.#options.test;
    const rights = { before, after: await this.#rights() };
    const calls = this.players.flatMap((player) => player.calls.done.splice(0));
    const runs = await readRuns(database);
    const sent = this.#newlySent(runs);
    const faults = [
      ...findCallFaults(rights, calls),
      ...findSendingFaults(rights, sent),
      ...(await findApprovalFaults(database, {
        sent: sent.map(({ invocationId }) => invocationId),
        approvals: this.players.flatMap(({ people }) => people.rollouts.approvals),
        approvalDevices: this.#installation.approvalDevices,
      })),
      ...(await findUnapprovedRuns(database, {
        sent: sent.map(({ invocationId }) => invocationId),
        approvals: this.players.flatMap(({ people }) => people.approvals),
        rules: this.#installation.runRules,
      })),
      ...this.#complaints(),
    ];
    for (const [index, server] of this.#servers.entries())
      if (server.isDead) {
        this.#options.coverage.note('a server killed');
        await this.#replace(index);
      }
    return faults;
  }

  #newlySent(runs: ReadonlyMap<string, RunRecord>) {
    const found = [...runs.values()].flatMap((run) =>
      run.invocations
        .filter(({ id, sent }) => sent && !this.#sent.has(id))
        .map(({ id }) => ({ run, invocationId: id })),
    );
    for (const { invocationId } of found) this.#sent.add(invocationId);
    return found;
  }

  #complaints(): Fault[] {
    const seen = [
      ...this.players.flatMap((player) => player.calls.faults.splice(0)),
      ...this.#servers.flatMap(({ complaints }) => complaints.splice(0)),
      ...this.broker.faults.splice(0),
    ];
    return seen.map((error) => ({ rule: 'an error that nobody expects', seen: error }));
  }

  #rights(): Promise<Rights> {
    return readRights(this.#options.test.database, new Date(this.#clock.nowMs));
  }

  /** A new server in the place of one that died. */
  async #replace(index: number): Promise<void> {
    await this.#servers[index]?.[Symbol.asyncDispose]();
    const server: SystemServer = await SystemServer.start({
      installation: this.#installation,
      database: this.#options.test.database,
      broker: this.broker,
      tell: (changes) => this.#tellOthers(server, changes),
    });
    this.#servers[index] = server;
  }

  /** The other servers hear most of the news, at once. */
  #tellOthers(teller: SystemServer, changes: readonly Change[]): void {
    this.#told += 1;
    if (this.#told % 5 === 0) return;
    for (const server of this.#servers) if (server !== teller) server.hear(changes);
  }

  /** Until no server is at work on anything, and nothing is under way. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 4;) {
      await sleep(4);
      const isBusy =
        this.broker.isBusy || this.#servers.some((server) => server.isBusy && !server.isDead);
      calm = isBusy ? 0 : calm + 1;
    }
  }
}
