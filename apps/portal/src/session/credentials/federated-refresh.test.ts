import { expect, it } from 'vitest';
import { createFederatedRefresh } from './federated-refresh.ts';

function clock() {
  const state = { nowMs: 0 };
  const refresh = createFederatedRefresh({
    nowMs: () => state.nowMs,
    sleep: async (delayMs) => void (state.nowMs += delayMs),
    random: () => 0.5,
  });
  return { state, refresh };
}

it('retries for 10 s while the provider is unreachable', async () => {
  const { state, refresh } = clock();
  let tries = 0;
  const failing = refresh(async () => {
    tries += 1;
    throw new TypeError('Failed to fetch');
  });
  await expect(failing).rejects.toThrow('Failed to fetch');
  expect(tries).toBeGreaterThan(3);
  expect(state.nowMs).toBeLessThanOrEqual(10_000);
  expect(state.nowMs).toBeGreaterThan(5_000);
});

it('returns the first response', async () => {
  const { refresh } = clock();
  let tries = 0;
  const login = await refresh(async () => {
    tries += 1;
    if (tries < 3) throw new TypeError('Failed to fetch');
    return 'login';
  });
  expect([login, tries]).toEqual(['login', 3]);
});

it('does not retry after a rejection', async () => {
  const { state, refresh } = clock();
  const refusal = Object.assign(new Error('revoked'), { name: 'NotAuthorizedException' });
  await expect(refresh(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(state.nowMs).toBe(0);
});
