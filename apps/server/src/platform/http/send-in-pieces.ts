import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const PIECE_BYTES = 64 * 1024;

/**
 * Sends large responses in chunks as the client reads them. Otherwise, the whole response would be
 * in the socket's buffer, and a slow client could not be distinguished from a stalled one.
 */
export function sendInPieces(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (payload.length <= PIECE_BYTES) return payload;
    const whole = Buffer.from(payload as string);
    reply.header('content-length', whole.length);
    return Readable.from(piecesOf(whole), { objectMode: false, highWaterMark: PIECE_BYTES });
  });
}

function* piecesOf(whole: Buffer): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += PIECE_BYTES) {
    yield whole.subarray(at, at + PIECE_BYTES);
  }
}
