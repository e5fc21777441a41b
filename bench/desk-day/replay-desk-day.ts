import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { liveTopic } from '@deviceportal/contract/live-topics';
import { connectDevices, isWithin, type ConnectedDevice } from './connect-devices.ts';
import { readDeskDay, type DeskDay, type DeskStep } from './desk-day.ts';
import { openDeskFigures, type DeskFigures } from './desk-figures.ts';
import { deskRoles, deskUsers, type DeskUser } from './desk-users.ts';
import { openDeskInstallation } from './open-desk-installation.ts';
import { startLoadMeter } from './measure-load.ts';
import { replayUser } from './replay-user.ts';
import { printRatio } from '../device-fixture.ts';
import { signInToPortal, type PortalClient } from '../support/portal-client.ts';

const LIMIT_MS = 100;
/** From the first user's first call to the last user's. */
const SPREAD_SHARE = 0.2;
const WARM_UP_PACE = 0.05;
/** A recorded pause in which a user reads a screen. */
const SCREEN_SECONDS = 1;
/** Devices that a user works with. */
const OWN_DEVICES = 50;

/**
 * Ten viewers with one country and one label each and fifty other users replay a recorded day at the same time, on an
 * installation with a million devices of which some are connected over TLS. `--minutes 0` only fills the database:
 * `--devices 1000000 --connected 5000 --minutes 3 --rounds 5 --data-dir <folder>`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '1000000' },
      connected: { type: 'string', default: '5000' },
      minutes: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '1' },
      'data-dir': { type: 'string' },
    },
  });
  await using resources = new AsyncDisposableStack();
  const installation = await openDeskInstallation(resources, {
    keepIn: values['data-dir'],
    size: Number(values.devices),
  });
  if (Number(values.minutes) === 0) return;
  const portal = resources.use(await installation.start());
  const { devices, load } = await connectDevices(installation, Number(values.connected));
  resources.use(load);
  console.log(`${devices.length} devices connected`);
  const clients = await Promise.all(
    deskUsers.map(({ identifier }) => signInToPortal(portal.url, identifier)),
  );
  const figures = openDeskFigures();
  const seconds = Number(values.minutes) * 60;
  const { databasePid } = installation;
  const work = {
    ...{ clients, devices, figures, seconds, url: portal.url },
    day: await readDeskDay(),
  };
  printPace(work);
  await warmUp(work);
  const meter = await startLoadMeter({ server: portal.process, databasePid, load });
  for (let round = 0; round < Number(values.rounds); round += 1) {
    if (round > 0) figures.startRound();
    await workForADay(work);
  }
  await meter.print();
  const { worstMs, failures } = figures.print(LIMIT_MS);
  printRatio(`p99 of the slowest procedure, share of ${LIMIT_MS} ms`, worstMs / LIMIT_MS, {
    atMost: 1,
  });
  printRatio('failed calls', failures, { atMost: 0 });
}

interface Work {
  readonly url: string;
  readonly clients: readonly PortalClient[];
  readonly devices: readonly ConnectedDevice[];
  readonly figures: DeskFigures;
  readonly seconds: number;
  readonly day: DeskDay;
}

async function workForADay(work: Work): Promise<void> {
  const { clients, devices, figures, day, seconds } = work;
  const spreadSeconds = seconds * SPREAD_SHARE;
  const workSeconds = seconds - spreadSeconds;
  await Promise.all(
    deskUsers.map(async (user, index) => {
      const client = clients[index];
      if (!client) throw new Error('not signed in');
      // Ten users of a role do not begin one after the other.
      const offset = ((index * 7) % deskUsers.length) / deskUsers.length;
      await sleep(offset * spreadSeconds * 1_000);
      const live = await client.openLive();
      await live.client.subscribeAsync(liveTopic(live.viewerId), { qos: 0 });
      const steps = day[user.role];
      await replayUser({
        ...{ url: work.url, client, steps, figures },
        devices: devicesOf(user, index, devices),
        pace: workSeconds / recordedSeconds(steps),
      });
      await live.client.endAsync(true);
    }),
  );
}

/** One user of each role, without pauses: the measured server is not one that has just been started. */
async function warmUp({ clients, devices, day, url }: Work): Promise<void> {
  const figures = openDeskFigures();
  for (const role of deskRoles) {
    const index = deskUsers.findIndex((user) => user.role === role);
    const [user, client] = [deskUsers[index], clients[index]];
    if (!user || !client) throw new Error('not signed in');
    const player = { url, client, steps: day[role], figures };
    await replayUser({ ...player, devices: devicesOf(user, index, devices), pace: WARM_UP_PACE });
  }
}

const recordedSeconds = (steps: readonly DeskStep[]): number =>
  steps.reduce((sum, { after }) => sum + after, 0);

function printPace({ day, seconds }: Work): void {
  for (const role of deskRoles) {
    const screens = day[role].filter(({ after }) => after >= SCREEN_SECONDS).length;
    const users = deskUsers.filter((user) => user.role === role).length;
    const everySeconds = (seconds * (1 - SPREAD_SHARE)) / screens;
    console.log(
      `${users} ${role}: ${day[role].length} calls each, a screen every ${everySeconds.toFixed(0)} s`,
    );
  }
}

/** Other devices for each user, as far as there are enough. */
function devicesOf(
  { scope }: DeskUser,
  index: number,
  devices: readonly ConnectedDevice[],
): readonly ConnectedDevice[] {
  const visible = devices.filter((device) => isWithin(scope, device));
  const from = (index * OWN_DEVICES) % visible.length;
  return [...visible.slice(from), ...visible.slice(0, from)].slice(0, OWN_DEVICES);
}

await main();
