import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createIdentityClient,
  createMemoryStorage,
  IdentityError,
  loginBySocial,
  type IdentityClient,
  type User,
} from '../src/index.ts';

const HOST = 'https://provider.example';
const SOURCE = { source: 'authing', eventType: 'socialLogin' };
const GOOD = { code: 200, data: { id: 'u-1', token: 't-1' }, event: SOURCE };

interface Page {
  readonly client: IdentityClient;
  readonly popup: { closed: boolean };
  readonly login: Promise<User | null>;
  say(data: unknown, from?: { readonly source?: unknown; readonly origin?: string }): void;
  leave(): void;
}

/** The page that opened the sign-in window. */
function openPage(options: { readonly messageOrigins?: readonly string[] } = {}): Page {
  const popup = { closed: false };
  const page = Object.assign(new EventTarget(), {
    ...{ open: () => popup, innerWidth: 1280, innerHeight: 800, screenTop: 0, screenLeft: 0 },
  });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', { documentElement: { clientWidth: 1280, clientHeight: 800 } });
  vi.stubGlobal('screen', { availWidth: 1280 });
  const client = createIdentityClient({
    ...{ appId: 'app', appHost: HOST, storage: createMemoryStorage(), ...options },
  });
  const stopper = new AbortController();
  const login = loginBySocial(client, { provider: 'github' }, { signal: stopper.signal });
  // Avoids an unhandled rejection in tests that do not await the outcome.
  login.catch(() => undefined);
  return {
    ...{ client, popup, login },
    say: (data, { source = popup, origin = HOST } = {}) => {
      page.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }));
    },
    leave: () => stopper.abort(),
  };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('accepts a message from the opened window on the provider’s origin', async () => {
  const page = openPage();
  page.say(GOOD);
  expect((await page.login)?.id).toBe('u-1');
  expect(page.client.session.getToken()).toBe('t-1');
});

test.each([
  ['another window', { source: {} }],
  ['another origin', { origin: 'https://evil.example' }],
  ['no window', { source: null }],
  ['an origin that only begins the same', { origin: `${HOST}.evil.example` }],
])('ignores a message of %s and accepts the genuine one', async (_name, from) => {
  const page = openPage();
  page.say({ ...GOOD, data: { id: 'attacker', token: 'injected' } }, from);
  expect(page.client.session.getUser()).toBeNull();
  page.say(GOOD);
  expect((await page.login)?.id).toBe('u-1');
});

test('accepts a message that arrives after the window closed', async () => {
  vi.useFakeTimers();
  const page = openPage();
  page.popup.closed = true;
  await vi.advanceTimersByTimeAsync(1_000);
  page.say(GOOD, { source: null });
  expect((await page.login)?.id).toBe('u-1');
});

test('rejects when the window closes without a message', async () => {
  vi.useFakeTimers();
  const page = openPage();
  page.popup.closed = true;
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(page.login).rejects.toMatchObject({ code: 'POPUP_CLOSED' });
});

test('accepts a message from an origin in messageOrigins', async () => {
  const page = openPage({ messageOrigins: ['https://login.example'] });
  page.say(GOOD, { origin: 'https://login.example' });
  expect((await page.login)?.id).toBe('u-1');
});

test('resolves with a user, rejects with an IdentityError, or keeps waiting, for any message', async () => {
  const messages = fc.oneof(
    fc.anything(),
    fc.record({
      code: fc.anything(),
      message: fc.anything(),
      data: fc.anything(),
      event: fc.constant(SOURCE),
    }),
    fc.record({ code: fc.constant(200), data: fc.jsonValue(), event: fc.constant(SOURCE) }),
  );
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      const page = openPage();
      page.say(message);
      page.leave();
      const outcome = await page.login.catch((error: unknown) => error);
      const user = page.client.session.getUser();
      if (user === null) {
        const isAbort = outcome instanceof DOMException;
        expect(isAbort || outcome instanceof IdentityError).toBe(true);
      } else expect(outcome).toMatchObject({ id: user.id });
    }),
    { numRuns: 300 },
  );
});
