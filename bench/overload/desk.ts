import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { signInToPortal, type PortalClient } from '../support/portal-client.ts';
import type { Target } from './attacks.ts';

const PEOPLE = 20;
const PAUSE_MS = 1_000;
const ASKED_AGAIN_AFTER_MS = 100;

/** Twenty users at work. */
export interface Desk {
  /** Works for this long, and returns the duration of each action in milliseconds. */
  work(milliseconds: number): Promise<DeskShift>;
}

export interface DeskShift {
  readonly times: readonly number[];
  readonly failures: readonly string[];
}

/** @param admin invites the users */
export async function openDesk({ url }: Target, admin: PortalClient): Promise<Desk> {
  const deviceIds = await firstPage(admin);
  const clients = await signInPeople(url, admin);
  return {
    async work(milliseconds) {
      const until = performance.now() + milliseconds;
      const shift = { times: [] as number[], failures: [] as string[] };
      await Promise.all(
        clients.map((client, index) => workAlone({ client, index, until, deviceIds, shift })),
      );
      return shift;
    },
  };
}

async function signInPeople(url: string, admin: PortalClient): Promise<readonly PortalClient[]> {
  const roles = (await admin.query('access.roles.list')) as readonly { id: string; name: string }[];
  const roleIds = roles.filter(({ name }) => name === 'Operator').map(({ id }) => id);
  const clients: PortalClient[] = [];
  for (let person = 1; person <= PEOPLE; person += 1) {
    const identifier = `desk-${person}@deviceportal.local`;
    await admin.mutate('access.users.invite', { identifier, roleIds });
    clients.push(await signInToPortal(url, identifier));
  }
  return clients;
}

interface Person {
  readonly client: PortalClient;
  readonly index: number;
  readonly until: number;
  readonly deviceIds: readonly string[];
  readonly shift: { readonly times: number[]; readonly failures: string[] };
}

/** Finds a device, views it, its runs, and its events, and continues with the next one. */
async function workAlone({ client, index, until, deviceIds, shift }: Person): Promise<void> {
  await sleep((index * PAUSE_MS) / PEOPLE);
  for (let turn = index; performance.now() < until; turn += 1) {
    const device = deviceIds[turn % deviceIds.length] ?? '';
    const acts: readonly [path: string, input: unknown][] = [
      ['devices.list', {}],
      ['search.find', { text: device.slice(0, 8) }],
      ['devices.get', { device }],
      ['commands.listRuns', {}],
      [
        'devices.list',
        { filter: { tokens: [{ key: 'connectivity', operator: '=', values: ['online'] }] } },
      ],
      ['notifications.list', {}],
    ];
    const [path, input] = acts[turn % acts.length] ?? ['devices.list', {}];
    const startedAt = performance.now();
    await ask(client, path, input).catch((error: unknown) => {
      shift.failures.push(`${path}: ${String(error).slice(0, 200)}`);
    });
    shift.times.push(performance.now() - startedAt);
    await sleep(PAUSE_MS * (0.5 + ((turn * 7) % 10) / 10));
  }
}

/** As the portal does: retries calls that the server rejected for lack of time. */
async function ask(client: PortalClient, path: string, input: unknown): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await client.query(path, input);
    } catch (error) {
      if (attempt === 20 || !String(error).includes('overBudget')) throw error;
      await sleep(ASKED_AGAIN_AFTER_MS);
    }
  }
}

async function firstPage(client: PortalClient): Promise<string[]> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const { rows } = (await client.query('devices.list', { pageSize: 100 })) as {
      rows: { id: string }[];
    };
    if (rows.length === 100) return rows.map(({ id }) => id);
    await sleep(200);
  }
  throw new Error('the fleet did not appear');
}
