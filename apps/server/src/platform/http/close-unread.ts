import type { FastifyInstance } from 'fastify';

/**
 * Closes a connection after an answer that was sent before all of the request had arrived. A client
 * that keeps it would send its next request behind the rest, and wait for an answer without end.
 */
export function closeUnread(scope: FastifyInstance): void {
  scope.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete) void reply.header('connection', 'close');
  });
}
