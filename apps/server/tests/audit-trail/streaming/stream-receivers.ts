import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import type { StreamedEvent } from '../../../src/audit-trail/streaming/streamed-event.ts';

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** In the order of their arrival. */
  readonly events: StreamedEvent[];
}

export interface HttpReceiver extends Receiver {
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Status of the next answers; 200 after them. */
  readonly answers: number[];
}

export async function receiveByHttp(): Promise<HttpReceiver> {
  const [requests, answers, events]: [HttpReceiver['requests'], number[], StreamedEvent[]] = [
    [],
    [],
    [],
  ];
  const server = createHttpServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const status = answers.shift() ?? 200;
    if (status === 200 && body !== '') {
      requests.push({ headers: request.headers, body });
      events.push(...eventsIn(body));
    }
    response.writeHead(status).end();
  });
  const url = `http://127.0.0.1:${await listen(server)}/events`;
  return { url, requests, answers, events, [Symbol.asyncDispose]: () => close(server) };
}

function eventsIn(body: string): StreamedEvent[] {
  if (body.startsWith('[')) return JSON.parse(body) as StreamedEvent[];
  return body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StreamedEvent);
}

export interface SyslogReceiver extends Receiver {
  /** Whole messages, without their lengths. */
  readonly messages: string[];
}

export async function receiveByTcp(): Promise<SyslogReceiver> {
  const { messages, events, take } = createReader();
  const server = createTcpServer(take);
  const url = `tcp://127.0.0.1:${await listen(server)}`;
  return { url, messages, events, [Symbol.asyncDispose]: () => close(server) };
}

export interface TlsReceiver extends SyslogReceiver {
  /** Its certificate, PEM. */
  readonly ca: string;
}

export async function receiveByTls(): Promise<TlsReceiver> {
  const dir = await mkdtemp(join(tmpdir(), 'receiver-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', key, '-out', cert],
  ]);
  const [keyText, ca] = [await readFile(key, 'utf8'), await readFile(cert, 'utf8')];
  await rm(dir, { recursive: true });
  const { messages, events, take } = createReader();
  const server = createTlsServer({ key: keyText, cert: ca }, take);
  server.on('tlsClientError', () => {});
  const url = `tls://localhost:${await listen(server, 'localhost')}`;
  return { url, ca, messages, events, [Symbol.asyncDispose]: () => close(server) };
}

/** Reads octet-counted messages (RFC 6587, section 3.4.1); an incomplete one at the end is no message. */
function createReader() {
  const messages: string[] = [];
  const events: StreamedEvent[] = [];
  const take = (socket: NodeJS.ReadableStream): void => {
    let rest = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      rest = Buffer.concat([rest, piece]);
      for (;;) {
        const space = rest.indexOf(0x20);
        const end = space + 1 + Number(rest.toString('latin1', 0, Math.max(space, 0)));
        if (space < 1 || rest.length < end) return;
        const message = rest.toString('utf8', space + 1, end);
        rest = rest.subarray(end);
        messages.push(message);
        events.push(JSON.parse(message.slice(message.indexOf('{'))) as StreamedEvent);
      }
    });
  };
  return { messages, events, take };
}

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  server.close();
  await once(server, 'close');
}
