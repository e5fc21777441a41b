import { describe, expect, it } from 'vitest';
import { createSessionKeeper, type PortalSession } from './session-keeper.ts';

const LEAD_MS = 180_000;
const HOUR_MS = 3_600_000;
const tokenOf = (subject: string, mark = ''): string =>
  `e30.${btoa(JSON.stringify({ sub: subject, mark }))}.sig`;

/** Simulates a browser whose storage and lock all tabs share. */
function openBrowser(stored: PortalSession | null) {
  const browser = {
    nowMs: 0,
    stored,
    subject: stored === null ? null : 'ana',
    refreshes: 0,
    left: [] as number[],
  };
  let lock = Promise.resolve();
  let tabs = 0;
  const openTab = () => {
    const tab = (tabs += 1);
    return createSessionKeeper({
      async read({ refresh }) {
        await Promise.resolve();
        if (browser.stored !== null && refresh) {
          browser.refreshes += 1;
          browser.stored = {
            ...browser.stored,
            idToken: tokenOf(browser.subject ?? '', `new ${browser.refreshes}`),
            expiresAt: browser.nowMs + HOUR_MS,
          };
        }
        return browser.stored;
      },
      exclusively(work) {
        const result = lock.then(work);
        lock = result.then(
          () => undefined,
          () => undefined,
        );
        return result;
      },
      nowMs: () => browser.nowMs,
      storedSubject: () => browser.subject,
      onOtherPerson: () => void browser.left.push(tab),
    });
  };
  return { browser, openTab };
}

const session = (expiresAt: number, subject = 'ana'): PortalSession => ({
  expiresAt,
  idToken: tokenOf(subject),
  username: subject,
});

describe('one tab', () => {
  it('a token valid for more than three minutes is used unchanged', async () => {
    const { browser, openTab } = openBrowser(session(LEAD_MS + 1));
    const tab = openTab();
    expect(await tab.idToken()).toBe(tokenOf('ana'));
    expect(await tab.idToken()).toBe(tokenOf('ana'));
    expect(browser.refreshes).toBe(0);
  });

  it('a token that expires within three minutes is refreshed first', async () => {
    const { openTab } = openBrowser(session(LEAD_MS));
    expect(await openTab().idToken()).toBe(tokenOf('ana', 'new 1'));
  });

  it('ten concurrent calls cause one refresh', async () => {
    const { browser, openTab } = openBrowser(session(0));
    const tab = openTab();
    await Promise.all(Array.from({ length: 10 }, () => tab.idToken()));
    expect(browser.refreshes).toBe(1);
  });

  it('without a session, the token is rejected with 2001 and no user is signed in', async () => {
    const tab = openBrowser(null).openTab();
    await expect(tab.idToken()).rejects.toMatchObject({ code: 2001 });
    expect(await tab.current()).toBeNull();
  });

  it('an error while reading the session means that no user is signed in', async () => {
    const keeper = createSessionKeeper({
      read: () => Promise.reject(new Error('storage is broken')),
      exclusively: (work) => work(),
      nowMs: () => 0,
      storedSubject: () => null,
      onOtherPerson: () => undefined,
    });
    expect(await keeper.current()).toBeNull();
  });
});

describe('several tabs', () => {
  it('one tab refreshes, and all tabs use the result', async () => {
    const { browser, openTab } = openBrowser(session(0));
    const tabs = [openTab(), openTab(), openTab()];
    const tokens = await Promise.all(tabs.map((tab) => tab.idToken()));
    expect(tokens).toEqual(Array.from({ length: 3 }, () => tokenOf('ana', 'new 1')));
    expect(browser.refreshes).toBe(1);
  });

  it('a sign-out in one tab applies to the others, even with a valid token', async () => {
    const { browser, openTab } = openBrowser(session(HOUR_MS));
    const tab = openTab();
    await tab.idToken();
    Object.assign(browser, { stored: null, subject: null });
    await expect(tab.idToken()).rejects.toMatchObject({ code: 2001 });
  });

  it('a tab with the data of one user never sends the token of another', async () => {
    const { browser, openTab } = openBrowser(session(HOUR_MS));
    const tab = openTab();
    await tab.idToken();
    Object.assign(browser, { stored: session(HOUR_MS, 'bob'), subject: 'bob' });
    await expect(tab.idToken()).rejects.toMatchObject({ code: 2001 });
    expect(await tab.current()).toBeNull();
    expect(browser.left).toEqual([1]);
    expect(await openTab().idToken()).toBe(tokenOf('bob'));
  });

  it('the same user signing in again in another tab is not another user', async () => {
    const { browser, openTab } = openBrowser(session(HOUR_MS));
    const tab = openTab();
    await tab.idToken();
    browser.stored = { ...session(2 * HOUR_MS), idToken: tokenOf('ana', 'again') };
    tab.forget();
    expect(await tab.idToken()).toBe(tokenOf('ana', 'again'));
    expect(browser.left).toEqual([]);
  });
});
