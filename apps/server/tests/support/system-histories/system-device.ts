import { randomUUID } from 'node:crypto';
import { newInstanceId } from '@deviceportal/contract/ids';
import { noTrust, trustedKeyOf } from '@deviceportal/command-signing/key-trust';
import { ackMessageSchema } from '@deviceportal/device-protocol/journal';
import type { HeartbeatMessage, StatusMessage } from '@deviceportal/device-protocol/messages';
import type { UpChannel } from '@deviceportal/device-protocol/topics';
import { AGENT_VERSION } from '../../../../agent/src/agent-version.ts';
import { CommandExecutor } from '../../../../agent/src/core/command-executor.ts';
import { Journal } from '../../../../agent/src/core/journal.ts';
import { PinnedKeys } from '../../../../agent/src/core/pinned-keys.ts';
import type { Identity } from '../../../../agent/src/store/identity-file.ts';
import type { DownMessage } from '../../../src/gateway/device-transport.ts';
import { wholePayload } from '../../../src/gateway/broker/whole-payload.ts';
import { AgentDisk } from './agent-disk.ts';
import { DeviceMachine } from './device-machine.ts';
import type { DeviceTraits, Fate } from './history.ts';
import type { BrokerClient, LossyBroker } from './lossy-broker.ts';

interface Life {
  readonly journal: Journal;
  readonly executor: CommandExecutor;
  readonly keys: PinnedKeys;
}

/** The journal, executor, and key ring of a real agent, on a network that loses, duplicates, and reorders messages. */
export class SystemDevice implements BrokerClient {
  readonly deviceId: string;
  readonly instanceId = newInstanceId();
  readonly machine: DeviceMachine;
  readonly #traits: DeviceTraits;
  readonly #broker: LossyBroker;
  readonly #disk = new AgentDisk();
  #identity: Identity;
  #life: Life | undefined;
  #connectionId: string | undefined;
  #isHonest = false;
  #isOff = true;
  #turn = 0;
  /** Messages in transit until the history delivers them. */
  #late: (() => void)[] = [];

  constructor(deviceId: string, traits: DeviceTraits, broker: LossyBroker) {
    this.deviceId = deviceId;
    this.#traits = traits;
    this.#broker = broker;
    this.machine = new DeviceMachine(traits, () => this.#now());
    this.#identity = {
      deviceId,
      instanceId: this.instanceId,
      brokerUrl: '',
      serverUrl: 'http://127.0.0.1:9',
      certificate: '',
      privateKey: '',
      authorities: '',
      pendingPrivateKey: null,
      trust: { runs: noTrust, releases: noTrust },
    };
  }

  get isConnected(): boolean {
    return this.#connectionId !== undefined;
  }

  /** Starts the agent if it is not running, and opens a new connection. */
  connect(): void {
    this.#isOff = false;
    const life = (this.#life ??= this.#start());
    if (this.isConnected) this.vanish();
    this.#connectionId = randomUUID();
    this.#say('status', this.#status('online', null));
    life.journal.attach((payload) => this.#publish('journal', payload));
  }

  /** What agents and their supervisors do automatically, unless the machine is off. */
  comeBack(): void {
    if (!this.#isOff && !this.isConnected) this.connect();
  }

  /** The connection is lost, and the broker reports it. */
  vanish(): void {
    if (!this.isConnected) return;
    this.#say('status', this.#status('offline', 'connection-lost'));
    this.#connectionId = undefined;
    this.#life?.journal.detach();
  }

  async shutDown(): Promise<void> {
    this.#isOff = true;
    const life = this.#life;
    if (life === undefined) return;
    this.#life = undefined;
    life.journal.append({ kind: 'event', type: 'agent-stopped', data: { reason: 'shutdown' } });
    life.executor.stop();
    if (this.isConnected) this.#say('status', this.#status('offline', 'shutdown'));
    this.#connectionId = undefined;
    await life.journal.close();
  }

  /** The process is killed between two instructions, and unflushed data is lost. */
  crash(): void {
    const life = this.#life;
    if (life === undefined) return;
    this.vanish();
    this.#life = undefined;
    this.#disk.open();
    life.executor.stop();
    life.journal.detach();
  }

  heartbeat(): void {
    if (!this.isConnected) return;
    const beat: HeartbeatMessage = {
      instanceId: this.instanceId,
      at: new Date(this.#now()).toISOString(),
      failing: [],
      diskUsedPercent: 20,
      memoryUsedPercent: 20,
      uptimeSeconds: 1,
    };
    this.#say('heartbeat', beat);
  }

  receive(message: DownMessage): void {
    this.#travel(() => {
      if (this.isConnected) this.#hear(message);
    });
  }

  releaseLate(): void {
    for (const arrive of this.#late.splice(0)) arrive();
  }

  /** From now on nothing is lost, and every script ends. */
  settle(): void {
    this.#isHonest = true;
    this.releaseLate();
    this.machine.finishAll();
  }

  #start(): Life {
    const store = this.#disk.open();
    const log = (): void => {};
    const now = (): number => this.#now();
    const journal = new Journal({
      store,
      log,
      instanceId: () => this.instanceId,
      now,
      coalesceMs: 0,
      // Unacknowledged messages are sent again with the next connection.
      ackWaitMs: 120_000,
    });
    const keys = new PinnedKeys({
      identity: () => this.#identity,
      save: async (identity) => {
        this.#identity = identity;
      },
      onChanged: () => {},
    });
    const executor = new CommandExecutor({
      store,
      journal,
      log,
      now,
      machine: this.machine,
      serverNow: () => Date.now(),
      fetch: () => Promise.reject(new Error('not expected')),
      serverUrl: () => this.#identity.serverUrl,
      deviceId: () => this.deviceId,
      signatureFault: (command) => keys.faultOf(command),
      restartAgent: () => {},
      onIdle: () => {},
    });
    journal.append({ kind: 'event', type: 'agent-started', data: { agentVersion: AGENT_VERSION } });
    executor.resume();
    return { journal, executor, keys };
  }

  #now(): number {
    return Date.now() + this.#traits.clockSkewMs;
  }

  #hear(message: DownMessage): void {
    const life = this.#life;
    if (life === undefined) return;
    const { channel } = message;
    const body: unknown = JSON.parse(wholePayload(message));
    if (channel === 'ack') life.journal.acknowledge(ackMessageSchema.parse(body));
    else if (channel === 'cancel') life.executor.cancel(body);
    else if (channel === 'run-keys') void life.keys.take(body);
    else if (channel === 'command') {
      const { invocationId, holder } = body as { invocationId: string; holder: string | null };
      if (holder !== null) this.machine.holders.set(invocationId, holder);
      life.executor.take(body);
    }
  }

  #say(channel: UpChannel, body: object): void {
    void this.#publish(channel, JSON.stringify(body));
  }

  /** Resolves when the broker has accepted it: never if it is lost. */
  #publish(channel: UpChannel, payload: string): Promise<void> {
    return new Promise((resolve) => {
      this.#travel(() => {
        this.#broker.take(this.deviceId, channel, payload);
        resolve();
      });
    });
  }

  #travel(arrive: () => void): void {
    const fate = this.#nextFate();
    if (fate === 'lost') return;
    if (fate === 'late' || fate === 'swapped') {
      this.#late.push(arrive);
      return;
    }
    arrive();
    if (fate === 'twice') arrive();
    // Earlier messages arrive after this one.
    if (this.#isSwapping) this.releaseLate();
  }

  #nextFate(): Fate {
    if (this.#isHonest) return 'once';
    const { fates } = this.#traits;
    const fate = fates[this.#turn % fates.length] ?? 'once';
    this.#turn += 1;
    return fate;
  }

  /** Every third message also releases delayed ones. */
  get #isSwapping(): boolean {
    return this.#turn % 3 === 0;
  }

  #status(state: StatusMessage['state'], reason: StatusMessage['reason']): StatusMessage {
    return {
      state,
      connectionId: this.#connectionId ?? randomUUID(),
      instanceId: this.instanceId,
      agentVersion: AGENT_VERSION,
      reason,
      runKeys: this.#identity.trust.runs.keys.map((key) => trustedKeyOf(key).keyId),
      releaseKeys: this.#identity.trust.releases.keys.map((key) => trustedKeyOf(key).keyId),
    };
  }
}
