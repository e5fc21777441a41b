/**
 * The agent of one device: connection, journal, commands, self-check, and certificate. The machine
 * and the storage are passed to it.
 */

import { createHash } from 'node:crypto';
import { HEARTBEAT_INTERVAL_MS } from '@deviceportal/contract/constants';
import type { MetricValues } from '@deviceportal/contract/device-metrics';
import { ackMessageSchema, type JournalDraft } from '@deviceportal/device-protocol/journal';
import {
  commandMessageSchema,
  connectionMessageSchema,
  type HeartbeatMessage,
} from '@deviceportal/device-protocol/messages';
import type { DownChannel } from '@deviceportal/device-protocol/topics';
import { AGENT_VERSION } from '../agent-version.ts';
import { type Logger, reasonOf } from '../logger.ts';
import type { Machine } from '../machine/machine.ts';
import { MetricReporter } from '../metrics/metric-reporter.ts';
import { createMemoryMetricStore, type MetricStore } from '../metrics/metric-store.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { Identity } from '../store/identity-file.ts';
import { BrokerConnection } from './broker-connection.ts';
import { CertificateRenewal } from './certificate-renewal.ts';
import { CommandExecutor } from './command-executor.ts';
import { cutPackageList } from './cut-package-list.ts';
import { DeviceServices, type DeviceServiceWays } from './device-services.ts';
import { isServiceChannel } from './service-offers.ts';
import { Journal } from './journal.ts';
import { keepsTls } from './keeps-tls.ts';
import { optional } from './optional.ts';
import { PinnedKeys, type PinnedKeysChange } from './pinned-keys.ts';
import { ReportedHeartbeat } from './reported-heartbeat.ts';
import { ServerClock } from './server-clock.ts';

/** Until the server announces another one. */
const DEFAULT_HEARTBEAT_SECONDS = HEARTBEAT_INTERVAL_MS / 1_000;
const INVENTORY_EVERY_MS = 3_600_000;
const REMEMBER_SEEN_EVERY_MS = 3_600_000;

export interface AgentOptions extends DeviceServiceWays {
  readonly identity: Identity;
  readonly saveIdentity: (identity: Identity) => Promise<void>;
  /** Brokers to use instead of those that the server announced. */
  readonly brokerUrls?: readonly string[] | undefined;
  readonly store: AgentStore;
  readonly machine: Machine;
  /** Samples that were not acknowledged; by default in memory. */
  readonly metrics?: MetricStore;
  readonly log: Logger;
  /** Called when a step requested a restart of the agent and no command is running anymore. */
  readonly onRestartWanted: () => void;
  /** Called when the portal was reached, which shows that this version works. */
  readonly onReached?: () => void;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
  readonly heartbeatMs?: number;
  readonly backOffBaseMs?: number;
  readonly backOffCapMs?: number;
  readonly coalesceMs?: number;
  readonly ackWaitMs?: number;
  /** Whether to compare this device's clock with the server's. */
  readonly checkClock?: boolean;
  /** Whether installed packages are reported automatically, or only by `aws:softwareInventory`. */
  readonly reportsPackages?: boolean;
}

export class Agent implements AsyncDisposable {
  readonly #options: AgentOptions;
  readonly #now: () => number;
  readonly #connection: BrokerConnection;
  readonly #journal: Journal;
  readonly #executor: CommandExecutor;
  readonly #renewal: CertificateRenewal;
  readonly #keys: PinnedKeys;
  readonly #clock: ServerClock | undefined;
  #identity: Identity;
  readonly #reported = new ReportedHeartbeat();
  readonly #metrics: MetricReporter;
  readonly #services: DeviceServices;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #inventoryDueMs = 0;
  #seenCheckedMs = 0;
  #restartWanted = false;
  #saving: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#identity = options.identity;
    this.#now = options.now ?? Date.now;
    this.#journal = this.#createJournal();
    this.#connection = new BrokerConnection({
      identity: () => this.#identity,
      onMessage: (channel, payload) => this.#receive(channel, payload),
      brokerUrls: options.brokerUrls,
      onUp: (brokerUrl) => this.#connected(brokerUrl),
      onDown: () => {
        this.#journal.detach();
        this.#metrics.detach();
      },
      offers: () => this.#services.offers(),
      ...{ log: options.log, random: options.random ?? Math.random },
      ...optional('backOffBaseMs', options.backOffBaseMs),
      ...optional('backOffCapMs', options.backOffCapMs),
    });
    this.#clock = options.checkClock ? this.#createClock() : undefined;
    this.#keys = this.#createKeys();
    this.#executor = this.#createExecutor();
    this.#renewal = this.#createRenewal();
    this.#metrics = this.#createMetrics();
    this.#services = new DeviceServices(options, {
      ...{ keys: this.#keys, connection: this.#connection, now: this.#now },
      identity: () => this.#identity,
      serverNow: () => this.#clock?.now() ?? this.#now(),
    });
  }

  get isConnected(): boolean {
    return this.#connection.isUp;
  }

  get unacknowledged(): number {
    return this.#journal.unacknowledged;
  }

  start(facts: Record<string, unknown> = {}): void {
    this.event('agent-started', { agentVersion: AGENT_VERSION, ...facts });
    this.#executor.resume();
    this.#connection.start();
    this.#metrics.start();
    this.#services.start();
  }

  /** Records a device event in the journal. */
  event(type: string, data: Record<string, unknown> = {}): void {
    this.#journal.append({ kind: 'event', type, data });
  }

  /** Reports the self-check immediately, in addition to the regular interval. */
  async heartbeat(): Promise<void> {
    if (this.#connection.isUp) await this.#send(await this.#checkItself());
  }

  async #checkItself(): Promise<HeartbeatMessage> {
    const check = await this.#options.machine.selfCheck();
    const warnings = [
      { part: 'certificate', fact: this.#renewal.warning() },
      { part: 'clock', fact: this.#clock?.warning() ?? null },
    ] as const;
    return {
      ...check,
      instanceId: this.#identity.instanceId,
      at: new Date(this.#now()).toISOString(),
      everySeconds: this.#identity.connection?.heartbeatSeconds ?? DEFAULT_HEARTBEAT_SECONDS,
      connectionRevision: this.#identity.connection?.revision ?? '',
      failing: [
        ...check.failing,
        ...warnings.flatMap(({ part, fact }) => (fact === null ? [] : [{ part, fact }])),
      ],
    };
  }

  async #send(heartbeat: HeartbeatMessage): Promise<void> {
    this.#reported.note(heartbeat, this.#now());
    await this.#connection.publish('heartbeat', JSON.stringify(heartbeat), 0);
  }

  /** With a shorter interval of self-checks, sends a heartbeat only if it is due or has news. */
  async #report(): Promise<void> {
    const heartbeat = await this.#checkItself();
    const { connection } = this.#identity;
    if (
      connection?.selfCheckSeconds === undefined ||
      this.#reported.mustSend(heartbeat, connection.heartbeatSeconds, this.#now())
    )
      await this.#send(heartbeat);
  }

  /** Records inventory, components, and installed packages in the journal if they have changed. */
  async reportInventory(): Promise<void> {
    const { machine } = this.#options;
    this.#inventoryDueMs = this.#now() + INVENTORY_EVERY_MS;
    const inventory = await machine.inventory();
    const components = [...(await machine.software())];
    this.#reportNews('inventory', inventory, () => [{ kind: 'inventory', ...inventory }]);
    this.#reportNews('software', components, () => [{ kind: 'software', components }]);
    if (this.#options.reportsPackages === false) return;
    const packages = await machine.packages();
    this.#reportNews('packages', packages, () => cutPackageList(packages));
  }

  #reportNews(kind: string, facts: unknown, toDrafts: () => readonly JournalDraft[]): void {
    const { store } = this.#options;
    const hash = createHash('sha256').update(JSON.stringify(facts)).digest('base64');
    const key = `reported-${kind}`;
    if (store.state.memo(key) === hash) return;
    for (const draft of toDrafts()) this.#journal.append(draft);
    store.record({ t: 'memo', key, value: hash });
  }

  /**
   * Drops the connection without an orderly disconnect, as a failing network does, until `connect`.
   */
  disconnect(): void {
    this.#connection.vanish();
  }

  connect(): void {
    if (!this.#stopped) this.#connection.start();
  }

  drained(timeoutMs: number): Promise<void> {
    return this.#journal.drained(timeoutMs);
  }

  /**
   * Disconnects in order. Running commands continue and are resumed by the next start of the agent.
   */
  async stop(reason: 'shutdown' | 'upgrade' = 'shutdown'): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#heartbeatTimer);
    this.event('agent-stopped', { reason });
    this.#executor.stop();
    this.#services.stop();
    this.#metrics.stop();
    if (this.#connection.isUp) await this.#journal.drained(1_000);
    await this.#connection.stop(reason);
    await this.#journal.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #connected(brokerUrl: string): void {
    this.#options.log('info', 'connected', { broker: brokerUrl });
    this.#rememberBroker(brokerUrl);
    this.#options.onReached?.();
    this.#reported.forget();
    this.#journal.attach((payload) => this.#connection.publish('journal', payload, 1));
    this.#metrics.attach((payload) => this.#connection.publish('metrics', payload, 0));
    this.#services.attach();
    void this.#beat();
  }

  /** One heartbeat: the self-check, and everything that is due. */
  async #beat(): Promise<void> {
    clearTimeout(this.#heartbeatTimer);
    if (this.#stopped) return;
    const { heartbeatSeconds = DEFAULT_HEARTBEAT_SECONDS, selfCheckSeconds = heartbeatSeconds } =
      this.#identity.connection ?? {};
    const seconds = Math.min(selfCheckSeconds, heartbeatSeconds);
    const everyMs = this.#options.heartbeatMs ?? seconds * 1_000;
    this.#heartbeatTimer = setTimeout(() => void this.#beat(), everyMs);
    this.#heartbeatTimer.unref();
    if (!this.#connection.isUp) return;
    try {
      await this.#clock?.check();
      await this.#report();
      if (this.#now() >= this.#inventoryDueMs) await this.reportInventory();
      await this.#renewal.check();
      this.#forgetSeen();
    } catch (error) {
      this.#options.log('warn', 'self-check failed', { reason: reasonOf(error) });
    }
  }

  #forgetSeen(): void {
    if (this.#now() - this.#seenCheckedMs < REMEMBER_SEEN_EVERY_MS) return;
    this.#seenCheckedMs = this.#now();
    this.#options.store.state.forgetSeenBefore(this.#now());
  }

  #receive(channel: DownChannel, payload: Buffer): void {
    let message: unknown;
    try {
      message = JSON.parse(payload.toString('utf8'));
    } catch {
      this.#options.log('warn', 'server message is not valid JSON', { channel });
      return;
    }
    if (channel === 'ack') {
      const ack = ackMessageSchema.safeParse(message);
      if (ack.success) this.#journal.acknowledge(ack.data);
    } else if (channel === 'command') void this.#take(message);
    else if (channel === 'cancel') this.#executor.cancel(message);
    else if (channel === 'run-keys') void this.#learnKeys(message);
    else if (channel === 'authorities') void this.#learnAuthorities(message);
    else if (channel === 'connection') void this.#learnConnection(message);
    else if (channel === 'metrics-ack') this.#metrics.acknowledge(message);
    else if (isServiceChannel(channel)) this.#services.take(channel, message);
    else void this.#renewal.take(message);
  }

  async #learnAuthorities(message: unknown): Promise<void> {
    try {
      await this.#renewal.takeAuthorities(message);
    } catch (error) {
      this.#options.log('error', 'certificate authorities not saved', { reason: reasonOf(error) });
    }
  }

  /** Other brokers are used after this connection has ended, another heartbeat from the next one on. */
  async #learnConnection(message: unknown): Promise<void> {
    const parsed = connectionMessageSchema.safeParse(message);
    if (!parsed.success || !keepsTls(this.#identity, parsed.data)) {
      this.#options.log('warn', 'connection settings rejected');
      return;
    }
    try {
      const saved = this.#saveIdentity({ ...this.#identity, connection: parsed.data });
      this.#metrics.adjust();
      await saved;
    } catch (error) {
      this.#options.log('error', 'connection settings not saved', { reason: reasonOf(error) });
    }
  }

  /** An announced broker that was reached replaces the one of the enrollment. */
  #rememberBroker(brokerUrl: string): void {
    const { connection, brokerUrl: remembered } = this.#identity;
    const announced = connection?.brokerUrls ?? [];
    if (announced.includes(remembered) || !announced.includes(brokerUrl)) return;
    this.#saveIdentity({ ...this.#identity, brokerUrl }).catch((error: unknown) => {
      this.#options.log('warn', 'broker not saved', { reason: reasonOf(error) });
    });
  }

  async #learnKeys(message: unknown): Promise<void> {
    try {
      await this.#keys.take(message);
    } catch (error) {
      this.#options.log('error', 'keys not saved', { reason: reasonOf(error) });
    }
  }

  /** If a command seems to have expired, checks the clock first, because it may be wrong. */
  async #take(message: unknown): Promise<void> {
    const known = commandMessageSchema.pick({ deliverBefore: true }).safeParse(message);
    if (this.#clock && known.success && Date.parse(known.data.deliverBefore) < this.#clock.now()) {
      await this.#clock.check();
    }
    this.#executor.take(message);
  }

  #restartIfIdle(): void {
    if (this.#restartWanted && this.#executor.isIdle && !this.#stopped) {
      this.#restartWanted = false;
      void this.#journal.drained(5_000).then(() => this.#options.onRestartWanted());
    }
  }

  #createJournal(): Journal {
    const { store, log, coalesceMs, ackWaitMs } = this.#options;
    return new Journal({
      store,
      log,
      instanceId: () => this.#identity.instanceId,
      now: this.#now,
      ...optional('coalesceMs', coalesceMs),
      ...optional('ackWaitMs', ackWaitMs),
    });
  }

  #createExecutor(): CommandExecutor {
    const { store, machine, log } = this.#options;
    return new CommandExecutor({
      store,
      machine,
      log,
      journal: this.#journal,
      now: this.#now,
      serverNow: () => this.#clock?.now() ?? this.#now(),
      fetch: this.#options.fetch ?? fetch,
      serverUrl: () => this.#identity.serverUrl,
      deviceId: () => this.#identity.deviceId,
      signatureFault: (command) => this.#keys.faultOf(command),
      restartAgent: () => {
        this.#restartWanted = true;
      },
      onIdle: () => {
        this.#metrics.commandFinished();
        this.#restartIfIdle();
      },
    });
  }

  #createMetrics(): MetricReporter {
    return new MetricReporter({
      store: this.#options.metrics ?? createMemoryMetricStore(),
      settings: () => this.#identity.connection?.metrics,
      instanceId: () => this.#identity.instanceId,
      measure: () => this.#measure(),
      serverNow: () => this.#clock?.now() ?? this.#now(),
      // Simulated devices, which have no such clock, are on a machine whose time is right.
      isTimeKnown: () => this.#clock?.isKnown() ?? true,
      isJournalBusy: () => this.#journal.unacknowledged > 0,
      random: this.#options.random ?? Math.random,
      log: this.#options.log,
    });
  }

  /** The network and the clock, unless the machine measures them itself. */
  async #measure(): Promise<MetricValues> {
    const own = await this.#options.machine.measure();
    if (own.networkLossPercent !== undefined) return own;
    const { latencyMs, lossPercent } = await this.#connection.measure();
    const clockOffsetMs = this.#clock?.aheadMs();
    return {
      networkLossPercent: lossPercent,
      ...optional('networkLatencyMs', latencyMs),
      ...optional('clockOffsetMs', clockOffsetMs),
      ...own,
    };
  }

  #createClock(): ServerClock {
    return new ServerClock({
      serverUrl: () => this.#identity.serverUrl,
      fetch: this.#options.fetch ?? fetch,
      now: this.#now,
      monotonicNow: () => performance.now(),
      log: this.#options.log,
    });
  }

  /** Serialized, so that each save includes the previous changes. */
  #saveIdentity(identity: Identity): Promise<void> {
    this.#identity = identity;
    this.#saving = this.#saving
      .catch(() => {})
      .then(() => this.#options.saveIdentity(this.#identity));
    return this.#saving;
  }

  #createKeys(): PinnedKeys {
    return new PinnedKeys({
      identity: () => this.#identity,
      save: (identity) => this.#saveIdentity(identity),
      onChanged: (change) => this.#tellKeys(change),
    });
  }

  #tellKeys({ ring, first, pinned, withdrawn }: PinnedKeysChange): void {
    if (pinned.length > 0) this.event('keys-pinned', { ring, first, keyIds: pinned });
    if (withdrawn.length > 0) this.event('keys-withdrawn', { ring, keyIds: withdrawn });
    // The portal shows which devices check signatures and with which keys.
    if (this.#connection.isUp) this.#connection.announce();
  }

  #createRenewal(): CertificateRenewal {
    return new CertificateRenewal({
      identity: () => this.#identity,
      save: (identity) => this.#saveIdentity(identity),
      send: (payload) => this.#connection.publish('renew', payload, 1),
      now: this.#now,
      random: this.#options.random ?? Math.random,
      log: this.#options.log,
      onRenewed: (facts) => {
        this.event('certificate-renewed', facts);
        this.#connection.reconnect();
      },
    });
  }
}
