import { fetchAuthSession } from '@aws-amplify/core';
import { liveTopic, viewerIdOf, watchTopic } from '@deviceportal/contract/live-topics';
import type { LiveMessage, Watch } from '@deviceportal/contract/live-channel';
import { loadConfig } from '../session/load-config.ts';
import { setLive } from './live-state.ts';
import { openMqttConnection } from './mqtt-connection.ts';
import { signMqttUrl } from './sign-mqtt-url.ts';
import { mergeWatches, type TabMessage } from './tab-channel.ts';
import { currentWatches, deliver, onWatchesChange } from './watch-registry.ts';

const CHANNEL = 'deviceportal.live';
const PUBLISH_DELAY_MS = 50;

const tab = Math.random().toString(36).slice(2, 10);
let started = false;

/**
 * Starts the live channel of this tab, once. One tab of a browser holds the connection (a Web Lock says which), the
 * others go through it; when it closes, the next takes over. Pages without Web Locks (plain http on a LAN) each have
 * their own connection.
 */
export function startLiveChannel(): void {
  if (started) return;
  started = true;
  const channel = new BroadcastChannel(CHANNEL);
  const send = (message: TabMessage): void => channel.postMessage(message);
  const sayWatches = (): void => send({ kind: 'watches', tab, watches: currentWatches() });
  onWatchesChange(sayWatches);
  window.addEventListener('pagehide', () => send({ kind: 'closed', tab }));
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'leader') sayWatches();
    else if (data.kind === 'live') setLive(data.connected);
    else if (data.kind === 'changes') for (const change of data.changes) deliver(change);
  });
  if (typeof navigator.locks !== 'object') {
    lead(channel, send);
    return;
  }
  sayWatches();
  void navigator.locks.request(CHANNEL, () => {
    lead(channel, send);
    // Held until this page goes.
    return new Promise<never>(() => undefined);
  });
}

function lead(channel: BroadcastChannel, send: (message: TabMessage) => void): void {
  const byTab = new Map<string, readonly Watch[]>();
  let topic = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connection = openMqttConnection({
    async target() {
      const [config, { credentials, identityId }] = await Promise.all([
        loadConfig(),
        fetchAuthSession(),
      ]);
      if (credentials?.sessionToken === undefined || identityId === undefined) {
        throw new Error('There are no credentials.');
      }
      const viewerId = viewerIdOf(identityId);
      topic = watchTopic(viewerId);
      return {
        url: signMqttUrl({
          credentials: { ...credentials, sessionToken: credentials.sessionToken },
          region: config.region,
          host: location.host,
          path: config.livePath,
          secure: location.protocol === 'https:',
          nowMs: Date.now(),
        }),
        clientId: `${viewerId}.${tab}`,
        subscribeTo: liveTopic(viewerId),
      };
    },
    onOpen() {
      setLive(true);
      send({ kind: 'live', connected: true });
      publishSoon();
    },
    onClose() {
      setLive(false);
      send({ kind: 'live', connected: false });
    },
    onMessage(payload) {
      const { changes } = JSON.parse(new TextDecoder().decode(payload)) as LiveMessage;
      for (const change of changes) deliver(change);
      send({ kind: 'changes', changes });
    },
  });
  const publishSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      byTab.set(tab, currentWatches());
      connection.publish(topic, JSON.stringify({ watches: mergeWatches(byTab) }));
    }, PUBLISH_DELAY_MS);
  };
  onWatchesChange(publishSoon);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'watches') byTab.set(data.tab, data.watches);
    else if (data.kind === 'closed') byTab.delete(data.tab);
    else return;
    publishSoon();
  });
  send({ kind: 'leader' });
}
