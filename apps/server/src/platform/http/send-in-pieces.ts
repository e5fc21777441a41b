import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const PIECE_BYTES = 64 * 1024;

/**
 * Sends large answers piece by piece, as far as the client reads. In one go, all of it would lie in the socket's buffer,
 * and nobody could tell a client that reads slowly from one that does not read at all.
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
