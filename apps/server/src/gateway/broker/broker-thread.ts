import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type {
  BrokerCertificates,
  BrokerWorkerData,
  FromBroker,
  ToBroker,
} from './broker-messages.ts';
import type { GatewayLogger } from '../gateway-logger.ts';

export interface BrokerThreadOptions {
  readonly data: BrokerWorkerData;
  readonly logger: GatewayLogger;
  readonly onMessage: (message: FromBroker) => void;
  /** Called when the thread has ended unexpectedly, with all its connections; a new thread is being started. */
  readonly onLost: () => void;
}

/** The thread of the embedded broker, restarted whenever it ends unexpectedly. */
export interface BrokerThread extends AsyncDisposable {
  readonly tlsPort: number | null;
  readonly plainPort: number | null;
  readonly post: (message: ToBroker) => void;
  /** Applies to new connections. */
  readonly useCertificates: (certificates: BrokerCertificates) => void;
  /** Number of connected clients. */
  readonly countConnections: () => Promise<number>;
  /** Ends the thread as a crash would. */
  readonly crash: () => Promise<void>;
}

const STOP_LIMIT_MS = 3_000;
const RESTART_WAIT_MS = 200;
const MAX_RESTART_WAIT_MS = 10_000;

interface Running {
  readonly worker: Worker;
  readonly tlsPort: number | null;
  readonly plainPort: number | null;
}

/** @throws Error when the broker cannot listen */
export async function startBrokerThread(options: BrokerThreadOptions): Promise<BrokerThread> {
  let stopping = false;
  let waiters: ((count: number) => void)[] = [];
  const onMessage = (message: FromBroker): void => {
    if (message.kind !== 'connections') return options.onMessage(message);
    for (const resolve of waiters.splice(0)) resolve(message.count);
  };
  const onExit = (): void => {
    if (stopping) return;
    options.logger.warn({}, 'broker thread ended; restarting');
    for (const resolve of waiters.splice(0)) resolve(0);
    options.onLost();
    void restart();
  };
  let running: Running | undefined = await launch(options.data, { ...options, onMessage, onExit });
  // A restarted thread listens on the same port.
  let settled: BrokerWorkerData = withPorts(options.data, running);

  const restart = async (): Promise<void> => {
    running = undefined;
    for (
      let waitMs = RESTART_WAIT_MS;
      !stopping;
      waitMs = Math.min(waitMs * 2, MAX_RESTART_WAIT_MS)
    ) {
      try {
        running = await launch(settled, { ...options, onMessage, onExit });
        if (stopping) await running.worker.terminate();
        return;
      } catch (error) {
        options.logger.error({ err: error }, 'broker thread failed to start');
        await sleep(waitMs);
      }
    }
  };
  const first = running;
  return {
    tlsPort: first.tlsPort,
    plainPort: first.plainPort,
    post: (message) => running?.worker.postMessage(message),
    useCertificates(certificates) {
      settled = { ...settled, devices: settled.devices && { ...settled.devices, ...certificates } };
      running?.worker.postMessage({ kind: 'certificates', certificates } satisfies ToBroker);
    },
    countConnections() {
      const { promise, resolve } = Promise.withResolvers<number>();
      if (!running) return Promise.resolve(0);
      waiters.push(resolve);
      running.worker.postMessage({ kind: 'count' } satisfies ToBroker);
      return promise;
    },
    async crash() {
      await running?.worker.terminate();
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      const worker = running?.worker;
      if (!worker) return;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage({ kind: 'stop' } satisfies ToBroker);
      await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
}

const withPorts = (data: BrokerWorkerData, { tlsPort, plainPort }: Running): BrokerWorkerData => ({
  ...data,
  devices: data.devices && { ...data.devices, port: tlsPort ?? data.devices.port },
  plain: data.plain && { ...data.plain, port: plainPort ?? data.plain.port },
});

interface LaunchOptions {
  readonly logger: GatewayLogger;
  readonly onMessage: (message: FromBroker) => void;
  readonly onExit: () => void;
}

async function launch(data: BrokerWorkerData, options: LaunchOptions): Promise<Running> {
  if (data.viewerSocket) await removeSocket(data.viewerSocket);
  const worker = new Worker(new URL('broker-worker.ts', import.meta.url), { workerData: data });
  const { promise, resolve, reject } = Promise.withResolvers<Running>();
  let listening = false;
  worker.on('message', (message: FromBroker) => {
    if (message.kind === 'failed') return reject(new Error(message.message));
    if (message.kind !== 'listening') return options.onMessage(message);
    listening = true;
    resolve({ worker, tlsPort: message.tlsPort, plainPort: message.plainPort });
  });
  worker.on('error', (error) => {
    options.logger.error({ err: error }, 'broker thread failed');
    reject(error);
  });
  worker.on('exit', () => {
    reject(new Error('broker thread ended before it listened'));
    if (listening) options.onExit();
  });
  try {
    return await promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

/** A socket file is not removed when its thread ends. */
async function removeSocket(path: string): Promise<void> {
  await rm(path, { force: true });
}
