import {
  environmentManager,
  focusManager,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { createQueryClient } from '../api/create-query-client.ts';
import { setLive } from './live-state.ts';
import { refreshWithLiveChannel, whileNotLive } from './refresh-policy.ts';

type Options = Pick<QueryObserverOptions, 'refetchInterval' | 'refetchOnWindowFocus' | 'staleTime'>;

environmentManager.setIsServer(() => false);
const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  setLive(false);
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

/** Simulates a screen with one list, and counts its requests. */
async function openScreen(options: Options = {}) {
  const queryClient = createQueryClient(() => undefined);
  const queryFn = vi.fn<() => Promise<never[]>>(async () => []);
  const observer = new QueryObserver(queryClient, { queryKey: ['list'], queryFn, ...options });
  ends.push(
    observer.subscribe(() => undefined),
    refreshWithLiveChannel(queryClient),
    () => queryClient.clear(),
  );
  await vi.advanceTimersByTimeAsync(0);
  return { asked: () => queryFn.mock.calls.length };
}

const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('asks again every five seconds for what no server answered, also with the live channel', async () => {
  setLive(true);
  let isDown = true;
  const queryFn = vi.fn<() => Promise<string>>(async () => {
    if (isDown) throw new PortalError('noConnection');
    return 'answered';
  });
  const queryClient = createQueryClient(() => undefined);
  const observer = new QueryObserver(queryClient, { queryKey: ['part'], queryFn });
  ends.push(
    observer.subscribe(() => undefined),
    () => queryClient.clear(),
  );
  // Three attempts.
  await wait(4);
  expect(observer.getCurrentResult().isError).toBe(true);
  isDown = false;
  await wait(6);
  expect(observer.getCurrentResult().data).toBe('answered');
  const asked = queryFn.mock.calls.length;
  await wait(60);
  expect(queryFn).toHaveBeenCalledTimes(asked);
});

test('polls a list every thirty seconds without the live channel', async () => {
  const screen = await openScreen();
  await wait(95);
  expect(screen.asked()).toBe(4);
});

test('refreshes a list immediately when the live channel is lost, and then polls it', async () => {
  setLive(true);
  const screen = await openScreen();
  await wait(100);
  expect(screen.asked()).toBe(1);
  setLive(false);
  await wait(3);
  expect(screen.asked()).toBe(2);
  await wait(30);
  expect(screen.asked()).toBe(3);
});

test('refreshes a list once when the live channel is connected again', async () => {
  setLive(true);
  const screen = await openScreen();
  setLive(false);
  await wait(3);
  setLive(true);
  await wait(3);
  expect(screen.asked()).toBe(3);
  await wait(60);
  expect(screen.asked()).toBe(3);
});

test('the first connection of a page refreshes nothing', async () => {
  const screen = await openScreen();
  setLive(true);
  await wait(20);
  expect(screen.asked()).toBe(1);
});

test('polls what the live channel reports only while the channel is lost', async () => {
  setLive(true);
  const screen = await openScreen({ refetchInterval: whileNotLive(10_000) });
  await wait(300);
  expect(screen.asked()).toBe(1);
  setLive(false);
  await wait(25);
  expect(screen.asked()).toBe(4);
});

test('does not refresh data that is kept unchanged on purpose', async () => {
  const held = await openScreen({ refetchOnWindowFocus: false });
  const constant = await openScreen({ staleTime: Number.POSITIVE_INFINITY });
  const preview = await openScreen({ staleTime: 30_000 });
  await wait(300);
  expect(held.asked()).toBe(1);
  expect(constant.asked()).toBe(1);
  expect(preview.asked()).toBe(1);
});

test('continues to poll after a failed request', async () => {
  const queryClient = createQueryClient(() => undefined);
  let asked = 0;
  const queryFn = async () => {
    asked += 1;
    throw new Error('no');
  };
  const observer = new QueryObserver(queryClient, { queryKey: ['list'], queryFn, retry: false });
  ends.push(
    observer.subscribe(() => undefined),
    () => queryClient.clear(),
  );
  await wait(65);
  expect(asked).toBe(3);
});

test('a hidden tab does not refresh, even when the live channel is connected again', async () => {
  setLive(true);
  const screen = await openScreen();
  focusManager.setFocused(false);
  setLive(false);
  await wait(300);
  setLive(true);
  await wait(300);
  expect(screen.asked()).toBe(1);
  focusManager.setFocused(undefined);
});

test('waits for a slow response before the next request', async () => {
  const queryClient = createQueryClient(() => undefined);
  let open = 0;
  let most = 0;
  const queryFn = async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 40_000));
    open -= 1;
    return [];
  };
  const observer = new QueryObserver(queryClient, { queryKey: ['list'], queryFn });
  ends.push(
    observer.subscribe(() => undefined),
    refreshWithLiveChannel(queryClient),
    () => queryClient.clear(),
  );
  await wait(50);
  setLive(true);
  setLive(false);
  await wait(200);
  expect(most).toBe(1);
});
