import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import { mutatedExchange } from './mutate-exchange.ts';
import { mutateBytes } from './mutate-text.ts';

const AT_ONCE = 8;
/** One of so many requests is sent with bytes changed anywhere, including its first line and headers. */
const RAW_EVERY = 10;
const RAW_WAIT_MS = 500;

export interface Attack {
  readonly port: number;
  readonly exchanges: readonly Exchange[];
  /** Number of requests to send. */
  readonly inputs: number;
  /** The fault of a response; null if there is none. */
  readonly faultOf: (answer: ExchangeAnswer) => string | null;
}

/** Sends mutated requests. @returns requests with faulty responses, at most ten */
export async function playMutated({ port, exchanges, inputs, faultOf }: Attack): Promise<string[]> {
  const faults: string[] = [];
  const each = Math.ceil(inputs / exchanges.length);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    for (const exchange of exchanges) {
      const queue = fc.sample(mutatedExchange(exchange), each);
      const work = Array.from({ length: AT_ONCE }, async () => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          const isRaw = queue.length % RAW_EVERY === 0;
          const answer = isRaw ? await sendRaw(port, next) : await send(port, next, agent);
          const fault = answer && faultOf(answer);
          if (fault) faults.push(`${describe(next)}\n-> ${fault}`);
        }
      });
      await Promise.all(work);
      if (faults.length >= 10) break;
    }
  } finally {
    agent.destroy();
  }
  return faults.slice(0, 10);
}

/** @returns null if the connection ended without a response */
export async function send(
  port: number,
  { method, path, headers, body }: Exchange,
  agent?: Agent,
): Promise<ExchangeAnswer | null> {
  return new Promise((resolve) => {
    const hasBody = body.length > 0;
    const sent = request({
      ...{ host: '127.0.0.1', port, agent, method, path: encodePath(path), setHost: true },
      headers: { ...headers, ...(hasBody && { 'content-length': String(body.length) }) },
    });
    sent.on('error', () => resolve(null));
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(null));
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.end(hasBody ? body : undefined);
  });
}

/** The request with some bytes changed at any place. */
async function sendRaw(port: number, exchange: Exchange): Promise<ExchangeAnswer | null> {
  const { method, path, headers, body } = exchange;
  const lines = [
    `${method} ${encodePath(path)} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    `content-length: ${body.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  const [bytes = whole] = fc.sample(mutateBytes(whole), 1);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setTimeout(RAW_WAIT_MS, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve(status === 0 ? null : { status, text });
    });
  });
}

const encodePath = (path: string): string =>
  path.replaceAll(/[^!-~]/g, (character) => encodeURIComponent(character.toWellFormed()));

const describe = ({ method, path, headers, body }: Exchange): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 600)} ${body.toString('utf8').slice(0, 600)}`;
