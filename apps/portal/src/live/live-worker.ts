/** The shared worker that holds the live channel of one user for all tabs of a browser. */

import { listenToTabs } from '../session/session-channel.ts';
import { createLiveHub } from './live-hub.ts';
import { liveNameOf } from './live-name.ts';
import { whenReleased } from './tab-presence.ts';
import type { ToHub } from './tab-messages.ts';

/** The first message of a tab: the name of the lock that it holds until it closes. */
export interface WorkerHello {
  readonly kind: 'hello';
  readonly presence: string | null;
}

interface SharedWorkerScope extends EventTarget {
  readonly name: string;
}

const scope = globalThis as unknown as SharedWorkerScope;
const hub = createLiveHub();

scope.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const member = hub.join((message) => port.postMessage(message));
  port.addEventListener('message', ({ data }: MessageEvent<ToHub | WorkerHello>) => {
    if (data.kind !== 'hello') member.receive(data);
    else if (data.presence !== null) whenReleased(data.presence, member.leave);
  });
  port.start();
});

// A sign-out or a sign-in of another user in one tab applies to all tabs, so the connection is
// ended without waiting for their pages to close.
listenToTabs((news) => {
  if (news.kind === 'signed-out' || liveNameOf(news.subject) !== scope.name) hub.end();
});
