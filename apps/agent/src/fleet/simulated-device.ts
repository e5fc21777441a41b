/**
 * The life cycle of a simulated device: going online and offline, restarting, failing, and being
 * fixed.
 */

import { Agent, type AgentOptions } from '../core/agent.ts';
import type { Logger } from '../logger.ts';
import { SimulatedMachine } from '../machine/simulated-machine.ts';
import { MetricBacklog } from '../metrics/metric-backlog.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { Identity } from '../store/identity-file.ts';
import type { DevicePlan, FaultKind } from './describe-fleet.ts';
import {
  applyFault,
  mend,
  newHealth,
  type DeviceHealth,
  type HealthEvent,
} from './device-health.ts';
import { seededRandom } from './seeded-random.ts';
import { simulatePastMetrics } from './simulate-metrics.ts';

const HEALTH_MEMO = 'health';
/** A restart takes 20 to 60 s. */
const REBOOT_MIN_MS = 20_000;
const REBOOT_MAX_MS = 60_000;

export interface SimulatedDeviceOptions {
  readonly plan: DevicePlan;
  readonly store: AgentStore;
  readonly identity: Identity;
  readonly brokerUrls?: readonly string[] | undefined;
  readonly saveIdentity: (identity: Identity) => Promise<void>;
  readonly timeScale: number;
  readonly instantResults: boolean;
  /** Whether it starts with the faults of its plan. */
  readonly faults: boolean;
  /** Days before its enrollment of which it has metrics; 0 for a device that was enrolled before. */
  readonly metricsPastDays: number;
  readonly log: Logger;
  readonly agentTiming: Pick<
    AgentOptions,
    'heartbeatMs' | 'backOffBaseMs' | 'backOffCapMs' | 'coalesceMs'
  >;
}

export class SimulatedDevice {
  readonly plan: DevicePlan;
  readonly #options: SimulatedDeviceOptions;
  readonly #health: DeviceHealth;
  /** Lost with the process. */
  readonly #metrics = new MetricBacklog();
  #identity: Identity;
  #bootedAtMs: number;
  #agent: Agent | undefined;
  #rebooting = false;
  #rebootTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SimulatedDeviceOptions) {
    this.plan = options.plan;
    this.#options = options;
    this.#identity = options.identity;
    const uptimeHours = seededRandom(`${options.plan.serialNumber}/boot`).integer(2, 900);
    this.#bootedAtMs = Date.now() - uptimeHours * 3_600_000;
    this.#health = this.#recallHealth();
    this.#recallMetrics();
  }

  get isConnected(): boolean {
    return this.#agent?.isConnected ?? false;
  }

  get isAwake(): boolean {
    return this.#agent !== undefined;
  }

  get deviceId(): string {
    return this.#identity.deviceId;
  }

  get health(): Readonly<DeviceHealth> {
    return this.#health;
  }

  get unacknowledged(): number {
    return this.#options.store.state.unacknowledged.length;
  }

  /** Switches the device on. */
  wake(): void {
    if (this.#agent || this.#rebooting || this.#closed) return;
    this.#start({});
  }

  /** Shuts the device down in order. */
  async sleep(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.stop('shutdown');
  }

  /** Loses or restores its connection while it is running. */
  setLine(isGood: boolean): void {
    if (isGood) this.#agent?.connect();
    else this.#agent?.disconnect();
  }

  /** Applies a fault; false if it already exists. */
  breakDown(kind: FaultKind): boolean {
    const event = applyFault(this.#health, this.plan, kind);
    if (!event) return false;
    this.#changed([event]);
    return true;
  }

  /** Repeats the events of an unfixed fault. */
  repeatComplaints(restarts: number): void {
    const service = this.#health.crashing;
    if (service && this.#agent) {
      this.#agent.event('service-crashed', { service, exitCode: 139, restarts });
    }
  }

  /** Sends a heartbeat before the next one is due. */
  async reportHealth(): Promise<void> {
    await this.#agent?.heartbeat();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rebootTimer);
    await this.sleep();
  }

  #start(facts: Record<string, unknown>): void {
    const { plan, store, timeScale, instantResults, log, agentTiming } = this.#options;
    this.#agent = new Agent({
      ...agentTiming,
      identity: this.#identity,
      brokerUrls: this.#options.brokerUrls,
      saveIdentity: async (identity) => {
        await this.#options.saveIdentity(identity);
        this.#identity = identity;
      },
      store,
      metrics: this.#metrics,
      // Thousands of package lists at once would only repeat known data.
      reportsPackages: false,
      machine: new SimulatedMachine({
        plan,
        health: this.#health,
        timeScale,
        instantResults,
        bootedAtMs: this.#bootedAtMs,
        onChange: (events) => this.#changed(events),
        onReboot: () => this.#reboot(),
      }),
      log,
      onRestartWanted: () => void this.#restartAgent(),
    });
    this.#agent.start(facts);
  }

  async #restartAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.stop('upgrade');
    if (!this.#closed && !this.#agent && !this.#rebooting) this.#start({ reason: 'restart' });
  }

  #reboot(): void {
    if (this.#rebooting) return;
    this.#rebooting = true;
    const { timeScale } = this.#options;
    const downMs = REBOOT_MIN_MS + Math.random() * (REBOOT_MAX_MS - REBOOT_MIN_MS);
    // The command that requested the restart finishes and is reported first.
    this.#rebootTimer = setTimeout(() => void this.#goDown(downMs / timeScale), 2_000 / timeScale);
  }

  async #goDown(downMs: number): Promise<void> {
    const agent = this.#agent;
    await agent?.drained(2_000);
    this.#agent = undefined;
    await agent?.stop('shutdown');
    if (this.#closed) return;
    this.#rebootTimer = setTimeout(() => {
      this.#rebooting = false;
      this.#bootedAtMs = Date.now();
      const mended = mend(this.#health, ['network', 'clock', 'memory']);
      this.#start({ reason: 'device-restarted' });
      this.#changed([{ type: 'device-restarted', data: {} }, ...mended]);
    }, downMs);
  }

  #changed(events: readonly HealthEvent[]): void {
    this.#options.store.record({ t: 'memo', key: HEALTH_MEMO, value: this.#health });
    const agent = this.#agent;
    if (!agent) return;
    for (const { type, data } of events) agent.event(type, data);
    // Report immediately, so that screens need not wait for the next heartbeat.
    void agent.heartbeat().catch(() => {});
    void agent.reportInventory().catch(() => {});
  }

  #recallMetrics(): void {
    const { plan, metricsPastDays: days } = this.#options;
    if (days === 0) return;
    const past = simulatePastMetrics({ plan, health: this.#health }, { days, nowMs: Date.now() });
    this.#metrics.appendAll(past);
  }

  #recallHealth(): DeviceHealth {
    const kept = this.#options.store.state.memo(HEALTH_MEMO) as DeviceHealth | undefined;
    if (kept) return kept;
    const health = newHealth(this.plan);
    const { store, faults } = this.#options;
    const kinds = faults ? this.plan.faults : [];
    const events = kinds.flatMap((kind) => applyFault(health, this.plan, kind) ?? []);
    // Written to the store directly, because there is no agent yet.
    const numbered = () => ({ seq: store.state.nextSeq, at: new Date().toISOString() });
    for (const event of events) {
      store.record({ t: 'entry', entry: { ...numbered(), kind: 'event', ...event } });
    }
    const position = { ...this.plan.position, source: 'gps' } as const;
    store.record({ t: 'entry', entry: { ...numbered(), kind: 'position', ...position } });
    store.record({ t: 'memo', key: HEALTH_MEMO, value: health });
    return health;
  }
}
