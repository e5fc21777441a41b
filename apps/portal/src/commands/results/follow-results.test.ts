import { focusManager } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { InvocationState } from '@deviceportal/contract/states';
import type { FlashMessage } from '../../ui/flash-store.ts';
import { followResult, stopFollowing } from './follow-results.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function follow(id: string, states: readonly (InvocationState | Error)[]) {
  const told: FlashMessage[] = [];
  let asked = 0;
  followResult(
    {
      id,
      ask: async () => {
        const state = states[Math.min(asked, states.length - 1)];
        asked += 1;
        if (state === undefined || state instanceof Error) throw state;
        return state;
      },
      tell: (state) => ({ type: state === 'Success' ? 'success' : 'error', content: state }),
    },
    { addFlash: (message) => void told.push(message), removeFlash: () => {} },
  );
  return { told, asked: () => asked };
}

describe('following a result after its page was left', () => {
  test('polls every 10000 ms and reports the end once', async () => {
    const { told, asked } = follow('one', ['InProgress', 'InProgress', 'Success']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect({ asked: asked(), told }).toEqual({ asked: 2, told: [] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(3);
    expect(told.map((message) => message.content)).toEqual(['Success']);
  });

  test('polls again after a failed request', async () => {
    const { told } = follow('two', [new Error('no connection'), 'Failed']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(told.map((message) => message.type)).toEqual(['error']);
  });

  test('does not poll in a hidden tab, and reports the end when the tab is shown again', async () => {
    const { told, asked } = follow('four', ['Success']);
    focusManager.setFocused(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(0);
    focusManager.setFocused(undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toHaveLength(1);
  });

  test('reports nothing once the page is open again', async () => {
    const { told } = follow('three', ['Success']);
    stopFollowing('three', { removeFlash: () => {} });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
  });
});
