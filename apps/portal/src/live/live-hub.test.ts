import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import { createLiveHub, type LiveHub } from './live-hub.ts';
import type { ConnectionTarget, MqttConnectionOptions } from './mqtt-connection.ts';
import type { FromHub } from './tab-messages.ts';

const target: ConnectionTarget = {
  url: 'ws://x/mqtt',
  clientId: 'me.1',
  subscribeTo: 'live',
  publishTo: 'watch',
  endsAtMs: 0,
};
const devices = (...ids: string[]): Watch => ({ kind: 'devices', ids });
const changed = (id: string): LiveChange => ({ kind: 'device-changed', id });

/** A connection that the test controls. */
class Line {
  options: MqttConnectionOptions | undefined;
  readonly published: Watch[][] = [];
  ended = 0;
  checks = 0;
  readonly open = (options: MqttConnectionOptions) => {
    this.options = options;
    return {
      publish: (payload: string) =>
        void this.published.push((JSON.parse(payload) as { watches: Watch[] }).watches),
      check: () => void (this.checks += 1),
      [Symbol.dispose]: () => void (this.ended += 1),
    };
  };

  tell(...changes: LiveChange[]): void {
    this.options?.onMessage(new TextEncoder().encode(JSON.stringify({ changes })));
  }
}

class Tab {
  readonly heard: FromHub[] = [];
  readonly member: ReturnType<LiveHub['join']>;

  constructor(hub: LiveHub, ...watches: Watch[]) {
    this.member = hub.join((message) => this.heard.push(message));
    this.member.receive({ kind: 'watches', watches });
  }

  get changes(): LiveChange[] {
    return this.heard.flatMap((message) => (message.kind === 'changes' ? message.changes : []));
  }

  count(kind: FromHub['kind']): number {
    return this.heard.filter((message) => message.kind === kind).length;
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('several tabs share one connection, which watches what all of them watch', async () => {
  const line = new Line();
  const hub = createLiveHub({ open: line.open });
  const first = new Tab(hub, devices('a', 'b'));
  const second = new Tab(hub, devices('b', 'c'), { kind: 'fleet' });
  line.options?.onOpen();
  await vi.runAllTimersAsync();
  expect(line.published.at(-1)).toEqual([{ kind: 'fleet' }, devices('a', 'b', 'c')]);
  expect(second.changes).toEqual([]);
  first.member.leave();
  await vi.runAllTimersAsync();
  expect(line.published.at(-1)).toEqual([{ kind: 'fleet' }, devices('b', 'c')]);
});

it('a tab receives only the changes it watches', () => {
  const line = new Line();
  const hub = createLiveHub({ open: line.open });
  const first = new Tab(hub, devices('a'));
  const second = new Tab(hub, devices('b'));
  line.options?.onOpen();
  line.tell(changed('a'), changed('b'));
  expect(first.changes).toEqual([changed('a')]);
  expect(second.changes).toEqual([changed('b')]);
});

it('all tabs are asked to refresh after an interruption, but none after the first connection', () => {
  const line = new Line();
  const tab = new Tab(createLiveHub({ open: line.open }), devices('a'));
  line.options?.onOpen();
  line.options?.onClose();
  line.options?.onOpen();
  expect(tab.heard.filter(({ kind }) => kind === 'live')).toEqual([
    { kind: 'live', connected: false, resumed: false },
    { kind: 'live', connected: true, resumed: false },
    { kind: 'live', connected: false, resumed: false },
    { kind: 'live', connected: true, resumed: true },
  ]);
  expect(line.published).toEqual([[devices('a')], [devices('a')]]);
});

it('a failed first connection counts as an interruption', () => {
  const line = new Line();
  const tab = new Tab(createLiveHub({ open: line.open }), devices('a'));
  line.options?.onClose();
  line.options?.onOpen();
  expect(tab.heard.at(-1)).toEqual({ kind: 'live', connected: true, resumed: true });
});

it('one tab signs, and the others are asked if it is suspended', async () => {
  const line = new Line();
  const hub = createLiveHub({ open: line.open });
  const awake = new Tab(hub, devices('a'));
  const asleep = new Tab(hub, devices('b'));
  const wanted = line.options?.target();
  expect([awake.count('wanted'), asleep.count('wanted')]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(awake.count('wanted')).toBe(1);
  awake.member.receive({ kind: 'target', target });
  expect(await wanted).toEqual(target);
});

it('without a session in any tab there is no connection until one has a session', async () => {
  const line = new Line();
  const hub = createLiveHub({ open: line.open });
  const tab = new Tab(hub, devices('a'));
  const wanted = line.options?.target().catch((error: Error) => error.message);
  tab.member.receive({ kind: 'target', target: null });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await wanted).toBe('No tab has a session.');
});

it('the connection ends with the last tab and after a sign-out', () => {
  const line = new Line();
  const hub = createLiveHub({ open: line.open });
  const tab = new Tab(hub, devices('a'));
  tab.member.receive({ kind: 'bye' });
  expect(line.ended).toBe(1);
  const stays = new Tab(hub, devices('a'));
  line.options?.onOpen();
  hub.end();
  expect(line.ended).toBe(2);
  line.tell(changed('a'));
  expect(stays.changes).toEqual([]);
  expect(stays.heard.at(-1)).toEqual({ kind: 'live', connected: false, resumed: false });
});

it('a tab that becomes active causes a check of the connection', () => {
  const line = new Line();
  const tab = new Tab(createLiveHub({ open: line.open }));
  tab.member.receive({ kind: 'awake' });
  expect(line.checks).toBe(1);
});
