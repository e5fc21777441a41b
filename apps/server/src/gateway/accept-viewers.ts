import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { ViewerHandover } from './broker/broker-messages.ts';

const LINE_LIMIT_BYTES = 64 * 1024;
const LINE_TIMEOUT_MS = 5_000;
const PING_MS = 30_000;
/** The longest delay of a timer. A connection that lives longer is ended at the check after it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Accepts WebSocket connections that the HTTP server has authorized, over a local socket: sockets cannot be
 * transferred to a worker thread, so their bytes are piped. The first line identifies the viewer.
 */
export function acceptViewers(
  onViewer: (stream: Duplex, handover: ViewerHandover) => void,
): Server {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LINE_LIMIT_BYTES,
    // MQTT over WebSocket asks for this subprotocol (MQTT 3.1.1, section 6).
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  });
  return createServer((socket) => {
    socket.on('error', () => socket.destroy());
    readLine(socket, (line, rest) => {
      const handover = JSON.parse(line) as ViewerHandover;
      const request = { method: 'GET', url: handover.url, headers: handover.headers };
      sockets.handleUpgrade(request as unknown as IncomingMessage, socket, rest, (webSocket) => {
        const stream = createWebSocketStream(webSocket);
        const leftMs = Math.min(Math.max(handover.expiresAtMs - Date.now(), 0), MAX_TIMER_MS);
        const expiry = setTimeout(() => webSocket.close(4_001, 'credentials ended'), leftMs);
        const ping = setInterval(() => webSocket.ping(), PING_MS);
        webSocket.on('close', () => {
          clearTimeout(expiry);
          clearInterval(ping);
        });
        onViewer(stream, handover);
      });
    });
  });
}

function readLine(socket: Socket, onLine: (line: string, rest: Buffer) => void): void {
  let gathered: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), LINE_TIMEOUT_MS);
  const onData = (bytes: Buffer): void => {
    gathered = Buffer.concat([gathered, bytes]);
    const end = gathered.indexOf(0x0a);
    if (end < 0 && gathered.length < LINE_LIMIT_BYTES) return;
    clearTimeout(timer);
    socket.off('data', onData);
    if (end < 0) return void socket.destroy();
    try {
      onLine(gathered.subarray(0, end).toString('utf8'), gathered.subarray(end + 1));
    } catch {
      socket.destroy();
    }
  };
  socket.on('data', onData);
  socket.on('close', () => clearTimeout(timer));
}
