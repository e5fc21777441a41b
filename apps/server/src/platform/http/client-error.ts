import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { bareHeaders } from './security-headers.ts';
import { portalErrorOfStatus, toErrorAnswer } from './error-answer.ts';

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const LINGER_MS = 1_000;
const answered = new WeakSet<Socket>();

/** Answers what Node's parser refused before there was a request: with JSON, so that the client can say what is wrong. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  // The rest of a request that was refused arrives still, and each piece of it is an error again. Closing now would
  // reset the connection before the client has read its answer.
  if (answered.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const status = statusByCode[error.code ?? ''] ?? 400;
  const body = JSON.stringify(toErrorAnswer(portalErrorOfStatus(status), status, requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      "Content-Security-Policy: default-src 'none'",
      ...Object.entries(bareHeaders).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
}
