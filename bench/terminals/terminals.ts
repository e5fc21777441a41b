/**
 * 200 terminals with output at the same time: from a key to its echo, and a command on all devices,
 * each compared with a quiet run in the same processes. Then 10,000 requests of 20 users for a terminal at once.
 * `npm run bench:terminals -- --devices 1000 --sessions 200 --seconds 15`
 */

import { parseArgs } from 'node:util';
import { TERMINAL_LIMITS } from '@deviceportal/contract/terminals';
import { RequestBudget } from '../../apps/server/src/platform/call-budget/request-budget.ts';
import { UserBudgets } from '../../apps/server/src/platform/call-budget/user-budgets.ts';
import { openTerminal } from '../../apps/server/src/terminals/open-terminal.ts';
import type { TerminalDeps } from '../../apps/server/src/terminals/terminal-deps.ts';
import type { TerminalSender } from '../../apps/server/src/terminals/terminal-lines.ts';
import { openCommandFixture, type CommandFixture } from '../command-fixture.ts';
import { printRatio } from '../device-fixture.ts';
import { allDevices, fanOut } from '../support/fan-out.ts';
import { shownTo } from '../shown-to.ts';
import { administrator } from '../support/administrator.ts';
import { startBrowsers, type Browsers } from './start-browsers.ts';
import { benchUser, serveBrowsers } from './serve-browsers.ts';

const ECHO_LIMIT_MS = 50;
const FAN_OUT_RATIO = 2;
const ROUNDS = 5;
const OPENED_AT_ONCE = 10;
const REQUESTS = 10_000;
const ASKING = 20;

interface Setup {
  readonly fixture: CommandFixture;
  readonly deps: TerminalDeps & { readonly terminalLines: TerminalSender };
  readonly browsers: Browsers;
  readonly url: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '1000' },
      sessions: { type: 'string', default: String(TERMINAL_LIMITS.inAll) },
      seconds: { type: 'string', default: '15' },
    },
  });
  const [sessions, seconds] = [Number(values.sessions), Number(values.seconds)];
  await using resources = new AsyncDisposableStack();
  const fixture = await openCommandFixture(resources, Number(values.devices));
  const { terminalLines, deps: commands } = fixture;
  await commands.database.pool.query(`update device_instance set terminal_offer = 'available'`);
  const deps = { ...commands, terminalLines, signRecordingUrl: () => '' };
  const url = await serveBrowsers(resources, deps);
  const setup = { fixture, deps, url, browsers: resources.use(startBrowsers()) };
  // Warm-up of both paths.
  await open(setup, { from: 0, count: 1 });
  await medianFanOut(setup, 1);

  const quiet = await measure('1 terminal', setup, seconds);
  await open(setup, { from: 1, count: sessions - 1 });
  const busy = await measure(`${sessions} terminals`, setup, seconds);
  printRatio(
    `p95 of an echo with ${sessions} terminals, of ${ECHO_LIMIT_MS} ms`,
    busy.p95 / ECHO_LIMIT_MS,
    {
      atMost: 1,
    },
  );
  printRatio(`command with ${sessions} terminals to quiet`, busy.fanOutMs / quiet.fanOutMs, {
    atMost: FAN_OUT_RATIO,
  });
  await ask(setup, sessions);
}

/** Terminals of different users on different devices, with their browsers. */
async function open(
  { fixture, deps, browsers, url }: Setup,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<void> {
  // A device ends a terminal that no browser asks for, so that they are attached in parts.
  for (let at = from; at < from + count; at += OPENED_AT_ONCE) {
    const devices = fixture.fleet.devices.slice(at, Math.min(at + OPENED_AT_ONCE, from + count));
    const sessions = await Promise.all(
      devices.map(async ({ deviceId }, index) => {
        const token = `user-${at + index}`;
        const { sessionId } = await openTerminal(deps, callerOf(token), requestFor(deviceId));
        return { id: sessionId, token };
      }),
    );
    await browsers.ask({ kind: 'attach', url, sessions }, 'attached');
  }
}

const callerOf = (token: string) => ({
  ...{ requestId: 'bench', address: '127.0.0.1' },
  viewer: benchUser(token),
});

const requestFor = (deviceId: string) => ({ deviceId, reason: 'benchmark', columns: 80, rows: 24 });

async function measure(name: string, setup: Setup, seconds: number) {
  const { browsers, fixture } = setup;
  const alone = await browsers.ask({ kind: 'type', seconds }, 'typed');
  const during = browsers.ask({ kind: 'type', seconds }, 'typed');
  const fanOutMs = await medianFanOut(setup, ROUNDS);
  const withCommands = await during;
  for (const [what, { keys, lost, p50, p95, slowest, received }] of [
    ['', alone],
    [' during commands', withCommands],
  ] as const)
    console.log(
      `${name}${what}: ${keys} keys, ${lost} lost, echo p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ` +
        `slowest ${slowest.toFixed(0)} ms; ${(received / seconds / 1_000).toFixed(0)} KB/s shown`,
    );
  console.log(`${name}: command on ${fixture.connected} devices, median ${fanOutMs.toFixed(0)} ms`);
  if (alone.lost + withCommands.lost > 0) throw new Error('keys were lost');
  return { p95: alone.p95, fanOutMs };
}

async function medianFanOut({ fixture }: Setup, rounds: number): Promise<number> {
  const { deps, connected } = fixture;
  const agreement = await shownTo(deps, administrator, {
    command: 'process/top',
    target: allDevices,
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push(await fanOut(deps, connected, agreement));
  return times.toSorted((one, other) => one - other)[rounds >> 1] ?? Number.NaN;
}

/**
 * Requests of a few other users, as fast as the server processes calls of one user, while the terminals
 * that are open are used.
 */
async function ask({ fixture, deps, browsers }: Setup, isOpen: number): Promise<void> {
  const typing = browsers.ask({ kind: 'type', seconds: 5 }, 'typed');
  const startedAtMs = performance.now();
  const { devices } = fixture.fleet;
  const budgets = new UserBudgets();
  const outcomes = await Promise.allSettled(
    Array.from({ length: REQUESTS }, (_, index) => {
      const caller = callerOf(`asking-${index % ASKING}`);
      const request = requestFor(devices[index % devices.length]?.deviceId ?? '');
      const budget = new RequestBudget(budgets.of(caller.viewer.userId));
      return budget.run(() => openTerminal(deps, caller, request), { isChange: true });
    }),
  );
  const tookMs = performance.now() - startedAtMs;
  const opened = outcomes.filter(({ status }) => status === 'fulfilled').length;
  const { p50, p95, lost } = await typing;
  console.log(
    `${REQUESTS} requests at once: ${opened} opened, ${tookMs.toFixed(0)} ms; echo during them p50 ${p50.toFixed(0)} ms, ` +
      `p95 ${p95.toFixed(0)} ms, ${lost} lost`,
  );
  printRatio(
    'terminals after 10,000 requests, of the limit',
    (isOpen + opened) / TERMINAL_LIMITS.inAll,
    {
      atMost: 1,
    },
  );
}

await main();
