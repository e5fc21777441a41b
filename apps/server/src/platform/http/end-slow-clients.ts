import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpLimits } from './http-limits.ts';
import { onceClosed } from './once-closed.ts';

type SlowLimits = Pick<HttpLimits, 'slowGraceMs' | 'slowestBytesPerSecond' | 'sweepMs'>;

/** A request, and since when it is waiting for its client. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  waiting:
    | { readonly sinceMs: number; readonly bytes: number; readonly for: Direction }
    | undefined;
}

type Direction = 'body' | 'reading';

/**
 * Ends connections whose clients send their body or read the response unreasonably slowly. Time
 * during which the server does not read or has nothing to send does not count.
 */
export function endSlowClients(server: Server, limits: SlowLimits): void {
  const exchanges = new Set<Exchange>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const exchange: Exchange = { request, response, waiting: undefined };
    exchanges.add(exchange);
    onceClosed(response, () => exchanges.delete(exchange));
  });
  const sweep = setInterval(() => {
    const nowMs = performance.now();
    for (const exchange of exchanges)
      if (isTooSlow(exchange, limits, nowMs)) exchange.request.socket.destroy();
  }, limits.sweepMs);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

function isTooSlow(
  exchange: Exchange,
  { slowGraceMs, slowestBytesPerSecond }: SlowLimits,
  nowMs: number,
): boolean {
  const direction = waitsFor(exchange);
  if (direction === undefined) {
    exchange.waiting = undefined;
    return false;
  }
  const bytes = bytesOf(exchange, direction);
  if (exchange.waiting?.for !== direction) {
    exchange.waiting = { sinceMs: nowMs, bytes, for: direction };
    return false;
  }
  const allowedMs =
    slowGraceMs + (1_000 * (bytes - exchange.waiting.bytes)) / slowestBytesPerSecond;
  return nowMs - exchange.waiting.sinceMs > allowedMs;
}

function waitsFor({ request }: Exchange): Direction | undefined {
  if (request.socket.writableLength > 0) return 'reading';
  const isOurTurn = request.complete || request.readableLength > 0 || request.isPaused();
  return isOurTurn ? undefined : 'body';
}

/** Bytes received, or bytes that left the server's memory. */
function bytesOf({ request: { socket } }: Exchange, direction: Direction): number {
  return direction === 'body' ? socket.bytesRead : socket.bytesWritten - socket.writableLength;
}
