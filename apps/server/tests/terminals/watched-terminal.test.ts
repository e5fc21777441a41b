import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import {
  TERMINAL_SNAPSHOT_BYTES,
  TERMINAL_WATCHERS,
  terminalCloseCodes,
} from '@deviceportal/contract/terminals';
import { endSession, endTerminal } from '../../src/terminals/end-terminal.ts';
import { TerminalWatchers } from '../../src/terminals/terminal-watchers.ts';
import { origin, viewerHolding } from '../support/command-fixture.ts';
import { quietLogger, rowsOf, until } from '../support/gateway-fixture.ts';
import {
  openTerminalFixture,
  terminalViewer,
  type TerminalFixture,
  type TestBrowser,
} from './terminal-fixture.ts';

let fixture: TerminalFixture;
let sessionId: string;
let browser: TestBrowser;

beforeAll(async () => {
  fixture = await openTerminalFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const name of ['watcher', 'second'])
    fixture.viewers.set(name, { ...terminalViewer(['terminal:watch']), username: name });
  sessionId = await fixture.open();
  browser = fixture.attach(sessionId);
  await until(() => browser.isOpen && browser.text.includes('$ '));
});
afterEach(() => endSession(fixture.deps, { id: sessionId, reason: 'closed' }));

const watch = (token = 'watcher', on: Pick<TerminalFixture, 'attach'> = fixture): TestBrowser =>
  on.attach(sessionId, { token, watches: true });

async function watchEvents(): Promise<unknown[]> {
  return rowsOf(
    fixture.setup.database,
    `select actor_id, data from audit_event where type = 'terminal.watched' and data->>'sessionId' = $1`,
    [sessionId],
  );
}

describe('a user who watches', () => {
  test('sees the output so far and what follows, on any server, and is named to the user', async () => {
    browser.type('echo be"fore"\r');
    await until(() => browser.text.includes('before\r\n'));
    browser.send({ kind: 'resize', columns: 101, rows: 33 });
    await using other = await fixture.openWebServer();
    const here = watch();
    const there = watch('second', other);
    await until(() => [here, there].every(({ text }) => text.includes('before\r\n')));
    await until(() => browser.watchers.length === 2);
    expect(browser.watchers.toSorted()).toEqual(['second', 'watcher']);
    expect(await watchEvents()).toHaveLength(2);

    browser.type('echo af"ter"\r');
    await until(() => [here, there].every(({ text }) => text.includes('after\r\n')));
    await until(() => here.text === browser.text);
    expect(here.messages).toContainEqual(
      expect.objectContaining({ kind: 'watching', isComplete: true }),
    );
    await until(() =>
      here.messages.some((message) => message.kind === 'size' && message.columns === 101),
    );
    here.vanish();
    there.vanish();
    await until(() => browser.watchers.length === 0);
  });

  test('sees no password that is typed without echo', async () => {
    const watcher = watch();
    browser.type('stty -echo; read secret; stty echo; echo done-$((1+1))\r');
    await until(() => watcher.text.includes('stty echo'));
    browser.type('hidden-password\r');
    await until(() => watcher.text.includes('done-2'));
    expect(watcher.text).not.toContain('hidden-password');
  });

  test('does not delay the user by not reading', async () => {
    const watcher = watch();
    watcher.reads = false;
    await until(() => watcher.isWatching);
    browser.type('head -c 2000000 /dev/zero | tr "\\\\0" x; echo; echo the-$((1))-end\r');
    await until(() => browser.text.includes('the-1-end\r'));
    expect(watcher.received).toBeLessThan(500_000);
  }, 60_000);

  test('begins with a whole line of the latest output of a long session', async () => {
    browser.type(
      'i=0; while [ $i -lt 40000 ]; do echo a-line-with-number-$i-and-more; i=$((i+1)); done\r',
    );
    await until(() => browser.text.includes('number-39999-'), 60_000);
    const watcher = watch();
    await until(() => watcher.text.includes('number-39999-and-more\r'));
    expect(watcher.messages).toContainEqual(expect.objectContaining({ isComplete: false }));
    expect(watcher.received).toBeLessThanOrEqual(TERMINAL_SNAPSHOT_BYTES + 1_000);
    expect(watcher.received).toBeGreaterThan(TERMINAL_SNAPSHOT_BYTES - 1_000);
    const kept = await rowsOf<{ whole: Buffer }>(
      fixture.setup.database,
      `select string_agg(data, '' order by id) as whole from terminal_event where session_id = $1 and kind = 'output'`,
      [sessionId],
    );
    const before = kept[0]?.whole.subarray(0, -watcher.received).toString();
    expect(before?.endsWith('and-more\r\n')).toBe(true);
  }, 90_000);

  test('sees how the session ends', async () => {
    const watcher = watch();
    await until(() => watcher.isWatching);
    const administrator = { ...origin, viewer: terminalViewer(['terminal:end']) };
    await endTerminal(fixture.deps, administrator, { sessionId });
    expect((await until(() => watcher.ending)).reason).toBe('ended-by-other');
    await until(() => watcher.closeCode !== undefined);
    await until(async () => {
      const left = await rowsOf(
        fixture.setup.database,
        'select id from terminal_watcher where session_id = $1',
        [sessionId],
      );
      return left.length === 0;
    });
  });
});

describe('a user who may not watch', () => {
  test('without the permission, outside the scope, or with a wrong token sees nothing', async () => {
    const { viewers } = fixture;
    viewers.set('replay', terminalViewer(['terminal:open', 'terminal:replay', 'terminal:end']));
    const scope = { ...everywhere, countries: ['NO'] };
    viewers.set('elsewhere', viewerHolding([{ permissions: ['terminal:watch'], scope }]));
    for (const token of ['replay', 'elsewhere', 'invalid']) {
      const stranger = watch(token);
      await until(() => stranger.closeCode !== undefined);
      expect(stranger.closeCode).toBe(terminalCloseCodes.notPermitted);
      expect(stranger.received).toBe(0);
    }
    expect(await watchEvents()).toEqual([]);
    expect(browser.watchers).toEqual([]);
  });

  test('loses the session within seconds after the permission, which the user keeps', async () => {
    const watcher = watch();
    await until(() => browser.watchers.length === 1);
    fixture.viewers.set('watcher', terminalViewer([]));
    await until(() => watcher.closeCode !== undefined, 6_000);
    expect(watcher.closeCode).toBe(terminalCloseCodes.notPermitted);
    const seen = watcher.received;
    await until(() => browser.watchers.length === 0);
    browser.type('echo still-$((1+1))\r');
    await until(() => browser.text.includes('still-2'));
    expect(watcher.received).toBe(seen);
  });

  test('does not see a session that has ended, whose recording needs another permission', async () => {
    await endSession(fixture.deps, { id: sessionId, reason: 'closed' });
    const late = watch();
    await until(() => late.closeCode !== undefined);
    expect(late.closeCode).toBe(terminalCloseCodes.notWatchable);
    expect(late.received).toBe(0);
    expect(await watchEvents()).toEqual([]);
  });
});

describe('attacks of a watcher', () => {
  test.each([
    ['input', { kind: 'input', text: 'echo at"tack"\r' }],
    ['a size', { kind: 'resize', columns: 33, rows: 11 }],
    ['an attachment', { kind: 'attach', sessionId: '', token: 'watcher', received: 0 }],
  ] as const)('%s is not passed to the device, and ends the connection', async (_name, message) => {
    const watcher = watch();
    await until(() => watcher.isWatching);
    watcher.send(message.kind === 'attach' ? { ...message, sessionId } : message);
    await until(() => watcher.closeCode !== undefined);
    expect(watcher.closeCode).toBe(4_400);
    browser.type('stty size; echo un"touched"\r');
    await until(() => browser.text.includes('untouched\r'));
    expect(browser.text).not.toContain('attack');
    expect(browser.text).not.toContain('11 33');
    expect(browser.closeCode).toBeUndefined();
  });

  test('who sends input together with the first message types nothing', async () => {
    const watcher = watch();
    watcher.onceOpen(() => {
      for (let sent = 0; sent < 20; sent += 1)
        watcher.send({ kind: 'input', text: 'echo at"tack"\r' });
    });
    await until(() => watcher.closeCode !== undefined || watcher.isWatching);
    browser.type('echo un"touched"\r');
    await until(() => browser.text.includes('untouched\r'));
    expect(browser.text).not.toContain('attack');
  });

  test('no more users watch at the same time than the limit', async () => {
    for (let user = 0; user <= TERMINAL_WATCHERS; user += 1)
      fixture.viewers.set(`user-${user}`, terminalViewer(['terminal:watch']));
    const watchers = Array.from({ length: TERMINAL_WATCHERS + 1 }, (_, user) =>
      watch(`user-${user}`),
    );
    await until(() => watchers.some(({ closeCode }) => closeCode !== undefined));
    await until(() => browser.watchers.length === TERMINAL_WATCHERS);
    const refused = watchers.filter(({ closeCode }) => closeCode !== undefined);
    expect(refused.map(({ closeCode, received }) => [closeCode, received])).toEqual([
      [terminalCloseCodes.tooManyWatchers, 0],
    ]);
  });

  test('10,000 joins at the same time admit no more than the limit, and the user still types', async () => {
    const { database, changes } = fixture.setup;
    using watchers = new TerminalWatchers({ database, changes, logger: quietLogger });
    const codes: number[] = [];
    const joins = Promise.all(
      Array.from({ length: 10_000 }, () =>
        watchers.join({
          ...{ sessionId, origin },
          socket: { close: (code) => void codes.push(Number(code)) },
          viewer: { send() {}, sendOutput() {}, close() {} },
          findViewer: async () => terminalViewer(['terminal:watch']),
        }),
      ),
    );
    const startedAtMs = performance.now();
    browser.type('echo during-$((1+1))\r');
    await until(() => browser.text.includes('during-2'));
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
    const answers = await joins;
    expect(answers.filter((watched) => watched !== undefined)).toHaveLength(TERMINAL_WATCHERS);
    expect(codes).toEqual(
      Array(10_000 - TERMINAL_WATCHERS).fill(terminalCloseCodes.tooManyWatchers),
    );
    expect(await watchEvents()).toHaveLength(TERMINAL_WATCHERS);
    expect(browser.watchers).toHaveLength(TERMINAL_WATCHERS);
  }, 60_000);

  test('one who leaves and returns again and again is stopped, and fills no audit trail', async () => {
    const codes: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 14; attempt += 1) {
      const watcher = watch();
      await until(() => watcher.isWatching || watcher.closeCode !== undefined);
      codes.push(watcher.closeCode);
      watcher.vanish();
    }
    expect(codes.at(-1)).toBe(terminalCloseCodes.tooManyWatchers);
    expect((await watchEvents()).length).toBeLessThan(13);
  });
});
