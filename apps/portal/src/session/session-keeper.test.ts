import { expect, it } from 'vitest';
import { createSessionKeeper, type PortalSession } from './session-keeper.ts';

const LEAD_MS = 180_000;

function keeperAt(nowMs: number, stored: PortalSession | null) {
  const calls: string[] = [];
  const clock = { nowMs };
  const keeper = createSessionKeeper({
    async read({ refresh }) {
      calls.push(refresh ? 'refresh' : 'read');
      if (stored === null) return null;
      return refresh ? { ...stored, idToken: 'new', expiresAt: clock.nowMs + 3_600_000 } : stored;
    },
    exclusively: (work) => work(),
    nowMs: () => clock.nowMs,
  });
  return { keeper, calls, clock };
}

const session = (expiresAt: number): PortalSession => ({
  expiresAt,
  idToken: 'old',
  username: 'ana',
});

it('[session-1] a token that lives longer than three minutes is used as it is', async () => {
  const { keeper, calls } = keeperAt(0, session(LEAD_MS + 1));
  expect(await keeper.idToken()).toBe('old');
  expect(await keeper.idToken()).toBe('old');
  expect(calls).toEqual(['read']);
});

it('[session-2] a token that expires within three minutes is refreshed first', async () => {
  const { keeper } = keeperAt(0, session(LEAD_MS));
  expect(await keeper.idToken()).toBe('new');
});

it('[session-3] ten calls at once make one refresh', async () => {
  const { keeper, calls } = keeperAt(0, session(0));
  await Promise.all(Array.from({ length: 10 }, () => keeper.idToken()));
  expect(calls.filter((call) => call === 'refresh')).toHaveLength(1);
});

it('[session-4] without a session the token is refused with 2001, and nobody is signed in', async () => {
  const { keeper } = keeperAt(0, null);
  await expect(keeper.idToken()).rejects.toMatchObject({ code: 2001 });
  expect(await keeper.current()).toBeNull();
});

it('[session-5] an error while asking who is signed in means nobody', async () => {
  const keeper = createSessionKeeper({
    read: () => Promise.reject(new Error('storage is broken')),
    exclusively: (work) => work(),
    nowMs: () => 0,
  });
  expect(await keeper.current()).toBeNull();
});
