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

/** Responds to requests that Node's parser rejected, with a JSON error. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  // The rest of a rejected request is still arriving, and each chunk causes another error. Closing
  // now would reset the connection before the client has read the response.
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
