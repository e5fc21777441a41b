// oxlint-disable-next-line import/default -- a URL that the bundler creates
import workerUrl from './live-worker.ts?worker&url';
import type { HubLink, LinkOptions } from './leader-link.ts';
import type { WorkerHello } from './live-worker.ts';
import type { FromHub } from './tab-messages.ts';
import { announcePresence, hasLocks } from './tab-presence.ts';

/**
 * Links to a shared worker, which holds the connection independent of single tabs, so that no tab
 * has to lead.
 */
export function openWorkerLink({ name, onMessage, onNewHub, onBroken }: LinkOptions): HubLink {
  const worker = new SharedWorker(workerUrl, { name, type: 'module' });
  const { port } = worker;
  // The worker file may have been removed with an older release, or the browser may not support
  // shared workers.
  worker.addEventListener('error', onBroken);
  port.addEventListener('message', ({ data }: MessageEvent<FromHub>) => onMessage(data));
  port.start();
  const presence = hasLocks() ? `${name}.${Math.random().toString(36).slice(2, 12)}` : null;
  const hello: WorkerHello = { kind: 'hello', presence };
  // Only after the lock is held, because the worker takes a free lock for a closed tab.
  void (presence === null ? Promise.resolve() : announcePresence(presence)).then(() =>
    port.postMessage(hello),
  );
  onNewHub();
  return {
    send: (message) => port.postMessage(message),
    [Symbol.dispose]: () => port.close(),
  };
}
