import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Acts once the answer was sent, or broken off. All who wait share one listener: Fastify, its plugins and streams have
 * most of the ten on a compressed page, and Node takes more for a leak.
 */
export function onceClosed(response: ServerResponse, act: () => void): void {
  const acts = waiting.get(response);
  if (acts !== undefined) {
    acts.push(act);
    return;
  }
  const first = [act];
  waiting.set(response, first);
  response.once('close', () => {
    for (const each of first) each();
  });
}
