import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import type { PortalClient } from './portal-client.ts';

type Live = Awaited<ReturnType<PortalClient['openLive']>>['client'];

/** The live channel of one user, as an open page has it. */
export interface LiveWatch extends AsyncDisposable {
  /**
   * Watches a run or an invocation until `isDone` is true.
   * @param isDone called with the kind of each change, and with undefined after the subscription
   */
  readonly until: (watched: Watched, isDone: IsDone) => Promise<void>;
}

interface Watched {
  readonly kind: 'run' | 'invocation';
  readonly id: string;
}

type IsDone = (change: string | undefined) => Promise<boolean>;

export async function openLiveWatch(client: PortalClient): Promise<LiveWatch> {
  const { client: live, viewerId } = await client.openLive();
  await live.subscribeAsync(liveTopic(viewerId), { qos: 0 });
  return {
    async until(watched, isDone) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = (change?: string): void =>
        void isDone(change).then((isTrue) => isTrue && resolve(), reject);
      using _ = onChanges(live, (kinds) => kinds.forEach(look));
      const message = JSON.stringify({ watches: [watched] });
      await live.publishAsync(watchTopic(viewerId), message, { qos: 0 });
      look();
      await promise;
    },
    [Symbol.asyncDispose]: () => live.endAsync(),
  };
}

function onChanges(live: Live, take: (kinds: ReadonlySet<string>) => void): Disposable {
  const onMessage = (_topic: string, payload: Buffer): void => {
    const { changes } = JSON.parse(payload.toString()) as { changes: { kind: string }[] };
    take(new Set(changes.map(({ kind }) => kind)));
  };
  live.on('message', onMessage);
  return { [Symbol.dispose]: () => void live.off('message', onMessage) };
}
