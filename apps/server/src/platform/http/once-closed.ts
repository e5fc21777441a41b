import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Runs a callback once the response was sent or aborted. All callbacks share one listener, because
 * Fastify, its plugins, and streams already use most of the ten listeners after which Node warns of
 * a leak.
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
