/** The browsers of a benchmark in a separate process: WebSockets that type, and wait for what they typed. */

import { percentile } from '../support/portal-process.ts';

export type ToBrowsers =
  | {
      readonly kind: 'attach';
      readonly url: string;
      readonly sessions: readonly { readonly id: string; readonly token: string }[];
    }
  | { readonly kind: 'type'; readonly seconds: number }
  | { readonly kind: 'stop' };

export type FromBrowsers =
  | { readonly kind: 'attached'; readonly count: number }
  | {
      readonly kind: 'typed';
      readonly keys: number;
      readonly lost: number;
      readonly p50: number;
      readonly p95: number;
      readonly slowest: number;
      readonly received: number;
    };

const KEY_EVERY_MS = 1_000;
const LOST_AFTER_MS = 10_000;

class Browser {
  readonly #socket: WebSocket;
  readonly opened: Promise<void>;
  #received = 0;
  #confirmed = 0;
  #awaited: { readonly text: string; readonly resolve: (ms: number) => void } | undefined;
  #typedAtMs = 0;
  #keys = 0;

  constructor(url: string, sessionId: string, token: string) {
    // A server limits the connections of one address.
    this.#socket = new WebSocket(`${url}?address=${token}`);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('open', () =>
      this.#send({ kind: 'attach', sessionId, token, received: 0 }),
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    this.opened = promise;
    this.#socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') this.#take(Buffer.from(data as ArrayBuffer));
      else if (JSON.parse(data).kind === 'opened') resolve();
    });
    this.#socket.addEventListener('close', ({ code }) => console.error(`browser closed: ${code}`));
  }

  get received(): number {
    return this.#received;
  }

  /** Milliseconds from a key to its echo; null if it did not come. */
  type(): Promise<number | null> {
    this.#keys += 1;
    const text = `<${this.#keys}>`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), LOST_AFTER_MS);
      this.#awaited = {
        text,
        resolve: (ms) => {
          clearTimeout(timer);
          resolve(ms);
        },
      };
      this.#typedAtMs = performance.now();
      this.#send({ kind: 'input', text });
    });
  }

  #take(data: Buffer): void {
    this.#received += data.length;
    if (this.#awaited !== undefined && data.includes(this.#awaited.text)) {
      this.#awaited.resolve(performance.now() - this.#typedAtMs);
      this.#awaited = undefined;
    }
    if (this.#received - this.#confirmed < 16_384) return;
    this.#confirmed = this.#received;
    this.#send({ kind: 'read', upTo: this.#received });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

const browsers: Browser[] = [];
const tell = (message: FromBrowsers): void => void process.send?.(message);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function typeFor(seconds: number): Promise<void> {
  const endsAtMs = performance.now() + seconds * 1_000;
  const times: (number | null)[] = [];
  const before = browsers.reduce((sum, { received }) => sum + received, 0);
  await Promise.all(
    browsers.map(async (browser, index) => {
      await wait((index / browsers.length) * KEY_EVERY_MS);
      while (performance.now() < endsAtMs) {
        times.push(await browser.type());
        await wait(KEY_EVERY_MS);
      }
    }),
  );
  const found = times.filter((time) => time !== null);
  tell({
    kind: 'typed',
    keys: times.length,
    lost: times.length - found.length,
    p50: percentile(found, 0.5),
    p95: percentile(found, 0.95),
    slowest: Math.max(...found),
    received: browsers.reduce((sum, { received }) => sum + received, 0) - before,
  });
}

process.on('message', (message: ToBrowsers) => {
  if (message.kind === 'attach') {
    const added = message.sessions.map(({ id, token }) => new Browser(message.url, id, token));
    browsers.push(...added);
    void Promise.all(added.map(({ opened }) => opened)).then(() =>
      tell({ kind: 'attached', count: browsers.length }),
    );
  } else if (message.kind === 'type') void typeFor(message.seconds);
  else process.exit(0);
});
