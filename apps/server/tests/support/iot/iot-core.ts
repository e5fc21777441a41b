import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { X509CrlGenerator } from '@peculiar/x509';
import mqtt, { type MqttClient } from 'mqtt';
import { allUpFilter } from '@deviceportal/device-protocol/topics';
import type { RunningPart } from '../../../../../packages/aws/tests/parts/start-part.ts';
import type { TestQueue } from '../../../../../packages/aws/tests/parts/test-queue.ts';
import { openCertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../../src/platform/secrets/file-secret-engine.ts';
import { Mosquitto } from '../brokers/mosquitto.ts';
import { openIotFront, type IotFront } from './iot-front.ts';

export interface IotCoreOptions {
  /** Of the server whose devices connect. Also contains the files of the broker. */
  readonly dataDir: string;
  /** The control plane. */
  readonly moto: RunningPart;
  /** What devices send is put here, as a rule does. */
  readonly queue: TestQueue;
}

const HEARD = [allUpFilter, '$SYS/broker/log/N'];
const CONNECTED = /: New client connected from [^ ]+ as ([0-9a-f-]{36}) .*u'([^']*)'/;
const ENDED = /: Client ([0-9a-f-]{36}) (disconnected|closed its connection)/;

/**
 * AWS IoT Core for one device: the control plane of moto, and a real Mosquitto for the connections. Publishes of the
 * real client go to the broker, messages of devices to the queue with the connection events that AWS IoT would send,
 * and certificates that are not active are on the list of revoked ones.
 */
export class IotCore implements AsyncDisposable {
  readonly front: IotFront;
  readonly broker: Mosquitto;
  /** Loses birth messages, and the events of connections that begin. */
  loseBeginnings = false;
  /** `status` and `connected`, as far as they were lost. */
  readonly lost = new Set<string>();
  readonly #options: IotCoreOptions;
  readonly #client: MqttClient;
  /** Devices whose connection was replaced by one that ends it. */
  readonly #replacing = new Set<string>();
  readonly #versions = new Map<string, number>();
  #held: { readonly eventType: string; readonly body: string }[] | undefined;

  private constructor(parts: {
    readonly options: IotCoreOptions;
    readonly front: IotFront;
    readonly broker: Mosquitto;
    readonly client: MqttClient;
  }) {
    this.#options = parts.options;
    this.front = parts.front;
    this.broker = parts.broker;
    this.#client = parts.client;
  }

  static async start(options: IotCoreOptions): Promise<IotCore> {
    const { dataDir: directory, moto } = options;
    const store = createFileSecrets(directory);
    const authority = await openCertificateAuthority({ store, hosts: [] });
    const revoked = join(directory, 'revoked.crl');
    const revoke = async (certificates: readonly string[]): Promise<void> =>
      writeFile(revoked, await revocationListOf(authority.ring.current, certificates));
    await revoke([]);
    const broker = await Mosquitto.start({
      ...{ directory, authority },
      settings: [`crlfile ${revoked}`, 'log_dest topic', 'log_type notice'],
    });
    const client = await connectAs(broker, 'aws-iot');
    const front = await openIotFront(moto, {
      publish: (topic, payload, qos) => client.publishAsync(topic, payload, { qos }),
      // A second client with the same ID ends the first one.
      endConnection: async (clientId) => (await connectAs(broker, clientId)).endAsync(true),
      async revoke(certificates) {
        await revoke(certificates);
        broker.reload();
      },
    });
    const core = new IotCore({ options, front, broker, client });
    client.on('message', (topic, payload) => core.#take(topic, payload));
    await client.subscribeAsync(HEARD, { qos: 1 });
    return core;
  }

  /** Mosquitto reads a shorter list of revoked certificates only when it starts. */
  async restart(): Promise<void> {
    const isBack = new Promise<void>((resolve) => {
      this.#client.once('connect', () => resolve());
    });
    await this.broker.killAndStart();
    await isBack;
    await this.#client.subscribeAsync(HEARD, { qos: 1 });
  }

  /** From now on, connection events are kept back. Returns their types so far. */
  holdEvents(): readonly string[] {
    this.#held ??= [];
    return this.#held.map(({ eventType }) => eventType);
  }

  /** Sends the events that were kept back: each twice, and the newest first. */
  releaseEvents(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { body } of [...held, ...held].toReversed()) this.#forward(body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true);
    await this.front[Symbol.asyncDispose]();
    await this.broker[Symbol.asyncDispose]();
  }

  #take(topic: string, payload: Buffer): void {
    if (!topic.startsWith('$SYS/')) {
      const isBirth = topic.endsWith('/up/status') && payload.includes('"online"');
      if (!this.#isLost('status', isBirth)) this.#forward(envelope(topic, payload));
      return;
    }
    const line = payload.toString();
    const [, started, user] = CONNECTED.exec(line) ?? [];
    const [, ended] = ENDED.exec(line) ?? [];
    if (started !== undefined && user === started) {
      this.#versions.set(started, (this.#versions.get(started) ?? -1) + 1);
      this.#report(started, 'connected');
    } else if (started !== undefined) {
      // `endConnection`: the end of the device's own connection is not logged.
      this.#replacing.add(started);
      this.#report(started, 'disconnected');
    } else if (ended !== undefined && !this.#replacing.delete(ended))
      this.#report(ended, 'disconnected');
  }

  #report(clientId: string, eventType: 'connected' | 'disconnected'): void {
    if (this.#isLost(eventType, eventType === 'connected')) return;
    const principalIdentifier = this.front.certificateOf(clientId);
    if (principalIdentifier === undefined) return;
    const event = {
      ...{ clientId, eventType, principalIdentifier },
      timestamp: Date.now(),
      sessionIdentifier: '00000000-0000-0000-0000-000000000000',
      ...(eventType === 'connected'
        ? { ipAddress: '203.0.113.9' }
        : { clientInitiatedDisconnect: false, disconnectReason: 'CONNECTION_LOST' }),
      versionNumber: this.#versions.get(clientId) ?? 0,
    };
    const topic = `$aws/events/presence/${eventType}/${clientId}`;
    const body = envelope(topic, Buffer.from(JSON.stringify(event)));
    if (this.#held === undefined) this.#forward(body);
    else this.#held.push({ eventType, body });
  }

  #isLost(what: string, isBeginning: boolean): boolean {
    const isLost = this.loseBeginnings && isBeginning;
    if (isLost) this.lost.add(what);
    return isLost;
  }

  #forward(body: string): void {
    void this.#options.queue.send([body]);
  }
}

/** `SELECT topic() AS topic, encode(*, 'base64') AS payload, timestamp() AS at`. */
const envelope = (topic: string, payload: Buffer): string =>
  JSON.stringify({ topic, payload: payload.toString('base64'), at: Date.now() });

async function connectAs({ access }: Mosquitto, clientId: string): Promise<MqttClient> {
  const [ca, cert, key] = await Promise.all(
    [access.caFile, access.certificateFile, access.keyFile].map((file) => readFile(file)),
  );
  return mqtt.connectAsync(access.url, { clientId, protocolVersion: 4, ca, cert, key } as never);
}

async function revocationListOf(
  authority: { readonly certificate: string; readonly key: string },
  certificates: readonly string[],
): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const der = Buffer.from(authority.key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const list = await X509CrlGenerator.create({
    issuer: new X509Certificate(authority.certificate).subject,
    entries: certificates.map((pem) => ({
      serialNumber: new X509Certificate(pem).serialNumber,
      revocationDate: new Date(),
    })),
    nextUpdate: new Date(Date.now() + 86_400_000),
    signingAlgorithm: algorithm,
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
  });
  // The label of OpenSSL.
  return list.toString('pem').replaceAll(' CRL-----', ' X509 CRL-----');
}
