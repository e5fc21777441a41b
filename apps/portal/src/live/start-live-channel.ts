import { loadConfig } from '../session/load-config.ts';
import { listenToTabs } from '../session/session-channel.ts';
import { session } from '../session/session.ts';
import { subjectOf } from '../session/subject-of.ts';
import { openLeaderLink, type HubLink, type LinkOptions } from './leader-link.ts';
import { createLiveHub } from './live-hub.ts';
import { liveNameOf } from './live-name.ts';
import { expectLive, setLive } from './live-state.ts';
import { makeLiveTarget } from './live-target.ts';
import { resumedChanges } from './resumed-changes.ts';
import type { FromHub, ToHub } from './tab-messages.ts';
import { hasLocks } from './tab-presence.ts';
import { currentWatches, deliver, onWatchesChange } from './watch-registry.ts';
import { openWorkerLink } from './worker-link.ts';

interface Tab {
  readonly sub: string;
  readonly link: HubLink;
}

let started = false;
let workersWork = typeof SharedWorker === 'function';
let tab: Tab | undefined;

/**
 * Starts the live channel of this tab, once. The tabs of a browser share one connection: in a
 * shared worker if available, otherwise in a leading tab, otherwise each tab has its own. A
 * connection belongs to one user; another user gets a new one.
 */
export function startLiveChannel(): void {
  if (started) return;
  started = true;
  expectLive();
  onWatchesChange(() => void follow().then(sayWatches));
  window.addEventListener('pagehide', () => tab?.link.send({ kind: 'bye' }));
  // A page restored from the back-forward cache keeps its state, but the hub has removed it.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) restart();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tab?.link.send({ kind: 'awake' });
  });
  window.addEventListener('online', () => tab?.link.send({ kind: 'awake' }));
  listenToTabs((news) => {
    if (news.kind === 'signed-out' || news.subject !== tab?.sub) unlink();
  });
  void follow();
}

/** Links this tab for the signed-in user only. */
async function follow(): Promise<void> {
  const [current, config] = await Promise.all([
    session.current(),
    loadConfig().catch(() => undefined),
  ]);
  // No session is available at present. The existing link stays until the server ends it.
  if (current === null || config === undefined || config.livePath === null) return;
  const sub = subjectOf(current.idToken);
  if (tab?.sub === sub) return;
  unlink();
  openTab(sub);
}

function unlink(): void {
  tab?.link.send({ kind: 'bye' });
  tab?.link[Symbol.dispose]();
  tab = undefined;
  setLive(false);
}

function restart(): void {
  unlink();
  void follow();
}

function openTab(sub: string): void {
  const isMine = (): boolean => tab?.sub === sub;
  const link = openLink({
    name: liveNameOf(sub),
    onMessage: (message) => {
      if (isMine()) receive(message, sub);
    },
    onNewHub: () => queueMicrotask(() => isMine() && sayWatches()),
    onBroken() {
      workersWork = false;
      restart();
    },
  });
  tab = { sub, link };
}

function openLink(options: LinkOptions): HubLink {
  if (workersWork) return openWorkerLink(options);
  return hasLocks() ? openLeaderLink(options) : openOwnLink(options);
}

function openOwnLink({ onMessage, onNewHub }: LinkOptions): HubLink {
  const hub = createLiveHub();
  // Deferred, because joining responds immediately.
  let member: ReturnType<typeof hub.join> | undefined;
  queueMicrotask(() => {
    member = hub.join(onMessage);
    onNewHub();
  });
  return { send: (message) => member?.receive(message), [Symbol.dispose]: () => hub.end() };
}

function send(message: ToHub): void {
  tab?.link.send(message);
}

function sayWatches(): void {
  send({ kind: 'watches', watches: currentWatches() });
}

function receive(message: FromHub, sub: string): void {
  switch (message.kind) {
    case 'wanted':
      makeLiveTarget(sub).then(
        (target) => send({ kind: 'target', target }),
        () => send({ kind: 'target', target: null }),
      );
      return;
    case 'live':
      setLive(message.connected);
      if (message.resumed) for (const change of resumedChanges(currentWatches())) deliver(change);
      return;
    case 'changes':
      for (const change of message.changes) deliver(change);
  }
}
