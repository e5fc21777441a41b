import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
} from 'node:tls';
import { HANDSHAKE_LIMIT_MS, HANDSHAKE_QUOTA } from '@deviceportal/contract/device-limits';
import type { RefusalPause } from '../platform/refusal-pause.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import type { BatchPort } from './broker/broker-batch-port.ts';
import type { BrokerCertificates, BrokerWorkerData } from './broker/broker-messages.ts';
import { identifyPeer, type DeviceIdentity } from './broker/identify-peer.ts';
import { listen } from './listen.ts';
import type { SocketGate } from './broker/socket-gate.ts';

export interface DeviceListenersOptions {
  readonly port: BatchPort;
  readonly gate: SocketGate;
  readonly tooOften: RefusalPause;
  /** @param identity undefined on the port without TLS, where the username identifies the device */
  readonly serve: (socket: Socket, identity: DeviceIdentity | undefined) => void;
}

/** The ports to which devices connect. */
export class DeviceListeners {
  readonly #options: DeviceListenersOptions;
  readonly #handshakes = new TokenBuckets(HANDSHAKE_QUOTA);
  readonly #servers: Server[] = [];
  #tls: TlsServer | undefined;

  constructor(options: DeviceListenersOptions) {
    this.#options = options;
  }

  listenTls(devices: NonNullable<BrokerWorkerData['devices']>): Promise<number | null> {
    const { gate, serve, tooOften } = this.#options;
    const server = createTlsServer(
      {
        ...contextOf(devices),
        requestCert: true,
        rejectUnauthorized: true,
        handshakeTimeout: HANDSHAKE_LIMIT_MS,
      },
      (socket) => {
        const identity = identifyPeer(socket);
        if (!identity) return void socket.destroy();
        if (!this.#mayShakeHands(identity)) return void tooOften.tell(() => socket.destroy());
        gate.prove(socket);
        serve(socket, identity);
      },
    );
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.#tls = server;
    const front = createTcpServer((socket) => {
      if (gate.admit(socket)) server.emit('connection', socket);
    });
    return this.#listen(front, devices);
  }

  listenPlain(plain: NonNullable<BrokerWorkerData['plain']>): Promise<number | null> {
    const { gate, serve } = this.#options;
    const server = createTcpServer((socket) => {
      if (!gate.admit(socket)) return;
      gate.prove(socket);
      serve(socket, undefined);
    });
    return this.#listen(server, plain);
  }

  /** Applies to new connections. */
  useCertificates(certificates: BrokerCertificates): void {
    this.#tls?.setSecureContext(contextOf(certificates));
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }

  #listen(server: Server, target: Parameters<typeof listen>[1]): Promise<number | null> {
    this.#servers.push(server);
    return listen(server, target);
  }

  /** If false, the connection counts against its address like one without a certificate. */
  #mayShakeHands({ deviceId, fingerprint }: DeviceIdentity): boolean {
    const isWithin = this.#handshakes.of(fingerprint ?? deviceId).take();
    if (!isWithin) this.#options.port.overflow(deviceId, 'connections');
    return isWithin;
  }
}

const contextOf = ({
  authorities,
  certificate,
  key,
}: BrokerCertificates): SecureContextOptions => ({
  ca: authorities,
  cert: certificate,
  key,
  minVersion: 'TLSv1.2',
});
