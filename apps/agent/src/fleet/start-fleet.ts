/** Thousands of agents with simulated machines in one process. */

import type { AgentOptions } from '../core/agent.ts';
import { enroll, EnrollmentRefused, enrollmentFacts, type EnrollOptions } from '../enroll.ts';
import { type Logger, reasonOf } from '../logger.ts';
import { SimulatedMachine } from '../machine/simulated-machine.ts';
import { lockState } from '../state-lock.ts';
import { openFleetStore, type FleetStore } from '../store/fleet-store.ts';
import type { Identity } from '../store/identity-file.ts';
import { describeFleet, faultKinds, type DevicePlan } from './describe-fleet.ts';
import { activeFaults, newHealth } from './device-health.ts';
import { isAwake } from './rhythm.ts';
import { hashText } from './seeded-random.ts';
import { SimulatedDevice } from './simulated-device.ts';

const ENROLL_AT_ONCE = 8;
/** HTTP: too many enrollments from one address. */
const TOO_MANY = 429;
const TICK_MS = 10_000;
const FAULT_SLOT_MS = 600_000;
/**
 * A new device stays connected for this time before it follows its connection pattern: at least until it has sent
 * its first metrics (`MetricReporter`), so that devices which are off at night have charts. Short times are more
 * likely.
 */
const FIRST_VISIT_MIN_MS = 20_000;
const FIRST_VISIT_SPREAD_MS = 150_000;
const FIRST_VISIT_LOOK_MS = 500;
/** A healthy device fails about once in three days of simulated time. */
const FAULT_CHANCE_PER_SLOT = 1 / (3 * 144);
/** A device that the server has enrolled is saved before the fleet ends, but a server that has ended answers no more. */
const ENROLLMENT_END_LIMIT_MS = 2_000;
/** Maximum share of devices with faults. */
const MAX_FAULTY_SHARE = 0.2;

export type EnrollDevice = (facts: EnrollOptions['facts'], plan: DevicePlan) => Promise<Identity>;

export interface FleetOptions {
  readonly size: number;
  readonly seed?: string;
  readonly stateDirectory: string;
  /** Called for devices without an identity; see `enrollByClaim`. */
  readonly enroll: EnrollDevice;
  /** Override the brokers of the server; `mqtt://host:port` is plain TCP. */
  readonly brokerUrls?: readonly string[];
  readonly serverUrl?: string;
  /** Factor by which simulated time is faster than real time. */
  readonly timeScale?: number;
  /** False to keep every device connected. */
  readonly rhythm?: boolean;
  readonly faults?: boolean;
  /** Commands finish immediately, for benchmarks. */
  readonly instantResults?: boolean;
  /** Days before the enrollment of which devices have metrics; default: 0. */
  readonly metricsPastDays?: number;
  readonly log: Logger;
  readonly agentTiming?: Pick<
    AgentOptions,
    'heartbeatMs' | 'backOffBaseMs' | 'backOffCapMs' | 'coalesceMs'
  >;
}

export interface FleetStatistics {
  readonly size: number;
  readonly enrolled: number;
  readonly awake: number;
  readonly connected: number;
  readonly unacknowledged: number;
}

export interface Fleet extends AsyncDisposable {
  /** Enrolled devices by index in the fleet. */
  readonly devices: ReadonlyMap<number, SimulatedDevice>;
  /** Resolves when every device is enrolled and the active ones have connected. */
  readonly ready: Promise<void>;
  statistics(): FleetStatistics;
}

/**
 * Enrolls through the server's endpoint. Retries while the server is not available; a rejection is
 * an error.
 */
export function enrollByClaim(serverUrl: string, claimToken: string): EnrollDevice {
  return async (facts) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await enroll({ serverUrl, claimToken, facts });
      } catch (error) {
        const isFinal =
          error instanceof EnrollmentRefused && error.status < 500 && error.status !== TOO_MANY;
        if (isFinal || attempt >= 60) throw error;
        await delay(Math.min(5_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2));
      }
    }
  };
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const seed = options.seed ?? 'device-portal';
  const lock = await lockState(options.stateDirectory);
  const store = await openFleetStore(
    options.stateDirectory,
    `fleet-${hashText(seed).toString(36)}`,
  );
  const { devices } = describeFleet(options.size, seed);
  const fleet = new RunningFleet(options, { store, lock }, devices);
  fleet.start();
  return fleet;
}

class RunningFleet implements Fleet {
  readonly devices = new Map<number, SimulatedDevice>();
  readonly ready: Promise<void>;
  readonly #options: FleetOptions;
  readonly #store: FleetStore;
  readonly #lock: AsyncDisposable;
  readonly #plans: readonly DevicePlan[];
  readonly #startedAtMs = Date.now();
  readonly #becameReady = Promise.withResolvers<void>();
  #tickTimer: NodeJS.Timeout | undefined;
  readonly #firstVisits = new Map<number, NodeJS.Timeout>();
  readonly #enrolling = new Set<Promise<Identity>>();
  readonly #refusals: { readonly device: string; readonly error: EnrollmentRefused }[] = [];
  #lastFaultSlot: number;
  #closed = false;

  constructor(
    options: FleetOptions,
    state: { store: FleetStore; lock: AsyncDisposable },
    plans: readonly DevicePlan[],
  ) {
    this.#options = options;
    this.#store = state.store;
    this.#lock = state.lock;
    this.#plans = plans;
    this.ready = this.#becameReady.promise;
    this.#lastFaultSlot = Math.floor(this.#simulatedMs() / FAULT_SLOT_MS);
  }

  start(): void {
    this.#bringUp().then(
      () => this.#becameReady.resolve(),
      (error: unknown) => this.#becameReady.reject(error as Error),
    );
    this.ready.catch((error: unknown) => {
      this.#options.log('error', 'fleet enrollment incomplete', { reason: reasonOf(error) });
    });
    const everyMs = Math.max(250, TICK_MS / this.#timeScale);
    this.#tickTimer = setInterval(() => this.#tick(), everyMs);
    this.#tickTimer.unref();
  }

  statistics(): FleetStatistics {
    const devices = [...this.devices.values()];
    return {
      size: this.#options.size,
      enrolled: devices.length,
      awake: devices.filter((device) => device.isAwake).length,
      connected: devices.filter((device) => device.isConnected).length,
      unacknowledged: devices.reduce((sum, device) => sum + device.unacknowledged, 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#tickTimer);
    for (const timer of this.#firstVisits.values()) clearTimeout(timer);
    this.#becameReady.resolve();
    await Promise.all([...this.devices.values()].map((device) => device.close()));
    await Promise.race([Promise.allSettled(this.#enrolling), delay(ENROLLMENT_END_LIMIT_MS)]);
    await this.#store[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
  }

  get #timeScale(): number {
    return this.#options.timeScale ?? 1;
  }

  #simulatedMs(): number {
    return this.#startedAtMs + (Date.now() - this.#startedAtMs) * this.#timeScale;
  }

  async #bringUp(): Promise<void> {
    const waiting = this.#plans.filter((plan) => plan.rhythm !== 'never' || !this.#hasRhythm);
    const worker = async (): Promise<void> => {
      for (let plan = waiting.shift(); plan && !this.#closed; plan = waiting.shift()) {
        await this.#admit(plan);
      }
    };
    await Promise.all(Array.from({ length: ENROLL_AT_ONCE }, worker));
    this.#reportRefusals();
    while (!this.#closed) {
      const missing = [...this.devices.values()].some(
        (device) => device.isAwake && !device.isConnected && this.#lineIsGood(device.plan),
      );
      if (!missing) return;
      await delay(50);
    }
  }

  async #admit(plan: DevicePlan): Promise<void> {
    const known = this.#store.identityOf(plan.index);
    const identity = known ?? (await this.#enrollOrRefuse(plan));
    if (identity === undefined || this.#closed) return;
    const { timeScale = 1, instantResults = false, faults = true, log } = this.#options;
    const { brokerUrls, serverUrl = identity.serverUrl } = this.#options;
    const device = new SimulatedDevice({
      plan,
      store: this.#store.storeOf(plan.index),
      identity: { ...identity, serverUrl },
      brokerUrls,
      saveIdentity: (renewed) => this.#store.saveIdentity(plan.index, renewed),
      timeScale,
      instantResults,
      faults,
      metricsPastDays: known ? 0 : (this.#options.metricsPastDays ?? 0),
      log: (level, message, facts) => log(level, message, { device: plan.name, ...facts }),
      agentTiming: this.#options.agentTiming ?? {},
    });
    this.devices.set(plan.index, device);
    if (!known && this.#hasRhythm) this.#beginFirstVisit(device);
    this.#follow(device);
    // Handshakes are throttled, because a burst would block both sides.
    if (this.devices.size % 16 === 0) await delay(10);
  }

  /** Undefined if the server refused: the other devices do not depend on this one. */
  async #enrollOrRefuse(plan: DevicePlan): Promise<Identity | undefined> {
    const enrolling = this.#enroll(plan);
    this.#enrolling.add(enrolling);
    try {
      return await enrolling;
    } catch (error) {
      if (!(error instanceof EnrollmentRefused)) throw error;
      this.#refusals.push({ device: plan.name, error });
      return undefined;
    } finally {
      this.#enrolling.delete(enrolling);
    }
  }

  /** @throws EnrollmentRefused if no device has been enrolled */
  #reportRefusals(): void {
    const [first] = this.#refusals;
    if (first === undefined) return;
    if (this.devices.size === 0) throw first.error;
    this.#options.log('error', 'devices not enrolled', {
      devices: this.#refusals.length,
      first: first.device,
      reason: first.error.message,
    });
  }

  async #enroll(plan: DevicePlan): Promise<Identity> {
    const machine = new SimulatedMachine({
      plan,
      health: newHealth(plan),
      timeScale: 1,
      instantResults: true,
      bootedAtMs: this.#startedAtMs,
      onChange: () => {},
      onReboot: () => {},
    });
    const identity = await this.#options.enroll(enrollmentFacts(await machine.inventory()), plan);
    await this.#store.saveIdentity(plan.index, identity);
    return identity;
  }

  get #hasRhythm(): boolean {
    return this.#options.rhythm ?? true;
  }

  #beginFirstVisit(device: SimulatedDevice): void {
    const { index } = device.plan;
    const share = Math.random() ** 2;
    const staysMs = (FIRST_VISIT_MIN_MS + share * FIRST_VISIT_SPREAD_MS) / this.#timeScale;
    const wait = (forMs: number): void => {
      this.#firstVisits.set(index, setTimeout(end, forMs));
    };
    const end = (): void => {
      // With a slow server, wait until the device has connected before it goes offline.
      if (!device.isConnected) return wait(FIRST_VISIT_LOOK_MS);
      this.#firstVisits.delete(index);
      this.#follow(device);
    };
    wait(staysMs);
  }

  #isExpected(plan: DevicePlan): boolean {
    if (!this.#hasRhythm || this.#firstVisits.has(plan.index)) return true;
    return isAwake(plan, this.#simulatedMs());
  }

  /** A bad connection does not switch the device off. It keeps running and reconnects. */
  #lineIsGood(plan: DevicePlan): boolean {
    return plan.rhythm !== 'flaky' || this.#isExpected(plan);
  }

  #follow(device: SimulatedDevice): void {
    const { plan } = device;
    if (plan.rhythm === 'flaky') {
      device.wake();
      device.setLine(this.#lineIsGood(plan));
    } else if (this.#isExpected(plan)) device.wake();
    else if (device.isAwake) void this.#leave(device);
  }

  /** Office devices are shut down in order. Mobile devices lose their connection. */
  async #leave(device: SimulatedDevice): Promise<void> {
    if (device.plan.rhythm === 'rarely') device.setLine(false);
    await device.sleep();
  }

  #tick(): void {
    for (const device of this.devices.values()) this.#follow(device);
    if (this.#options.faults === false) return;
    const slot = Math.floor(this.#simulatedMs() / FAULT_SLOT_MS);
    if (slot === this.#lastFaultSlot) return;
    this.#lastFaultSlot = slot;
    this.#age(slot);
  }

  #age(slot: number): void {
    const devices = [...this.devices.values()];
    let faulty = devices.filter((device) => activeFaults(device.health).length > 0).length;
    for (const device of devices) {
      if (!device.isAwake) continue;
      device.repeatComplaints(slot % 1_000);
      const drawn = hashText(`${device.plan.serialNumber}/fault/${slot}`) / 2 ** 32;
      if (drawn >= FAULT_CHANCE_PER_SLOT || faulty >= devices.length * MAX_FAULTY_SHARE) continue;
      const kind =
        faultKinds[hashText(`${device.plan.serialNumber}/kind/${slot}`) % faultKinds.length];
      if (kind && device.breakDown(kind)) faulty += 1;
    }
  }
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
