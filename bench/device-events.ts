import { parseArgs } from 'node:util';
import { journalMessageSchema } from '@deviceportal/device-protocol/journal';
import { openEmbeddedBroker } from '../apps/server/src/gateway/embedded-transport.ts';
import { createGateway } from '../apps/server/src/gateway/gateway.ts';
import { parseUpMessage } from '../apps/server/src/gateway/parse-up-message.ts';
import type { DeviceTransport, UpMessage } from '../apps/server/src/gateway/device-transport.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import { cpuBetween, describeCpu, readCpu, type CpuTimes } from './cpu-meter.ts';
import {
  benchConnection,
  benchLogger,
  createFleet,
  openBenchDatabase,
  openTempDir,
  printRatio,
  startLoad,
  storeFleet,
} from './device-fixture.ts';
import { benchRunSigning } from './bench-run-signing.ts';
import { profileOption, profileWork } from './support/profile-work.ts';

const RATIO_LIMIT = 0.6;
const AIM_PER_SECOND = 12_000;
const ROUNDS = 3;

/**
 * Device events over TLS, QoS 1, acknowledged after the commit, compared with the same broker,
 * path, and acknowledgment without the commit. The processor time of each process for an event shows the highest ratio
 * that two busy cores allow. The window is below the 32 messages that the gateway
 * queues for a device, so nothing is resent. `--devices 500 --window 30 --seconds 8 --profile`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '500' },
      window: { type: 'string', default: '30' },
      seconds: { type: 'string', default: '8' },
      ...profileOption,
    },
  });
  await using resources = new AsyncDisposableStack();
  const dataDir = await openTempDir(resources);
  const database = await openBenchDatabase(resources, dataDir);
  const fleet = await createFleet(dataDir, Number(values.devices));
  await storeFleet(database, fleet);
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: { host: '127.0.0.1', port: 0, authority: fleet.authority },
    }),
  );
  const path = { commits: true };
  resources.use(
    await createGateway({
      database,
      changes: createLocalChangeFeed((error) => console.error(error)),
      transport: switchable(broker.devices, path),
      authority: fleet.authority,
      deviceKeys: { runs: benchRunSigning().keys, releases: benchRunSigning().keys },
      connection: benchConnection,
      logger: benchLogger,
      clock: () => new Date(),
      onConnected: () => {},
    }),
  );
  const load = resources.use(startLoad());
  const { count } = await load.ask(
    {
      kind: 'connect',
      brokerUrls: [`mqtts://127.0.0.1:${broker.tlsPort}`],
      authorities: fleet.authority.authorities,
      key: fleet.key,
      devices: fleet.devices,
    },
    'connected',
  );
  const order = {
    kind: 'events',
    seconds: Number(values.seconds),
    window: Number(values.window),
    publishers: count,
  } as const;
  const measure = async (commits: boolean): Promise<number> => {
    path.commits = commits;
    const before = await readCpu(database, load);
    const { acknowledged, seconds } = await load.ask(order, 'events-done');
    const spent = cpuBetween(before, await readCpu(database, load));
    const rate = acknowledged / seconds;
    console.log(
      `${commits ? 'durable' : 'without the commit'}: ${Math.round(rate)} events/s; ` +
        `CPU µs for each: ${describeCpu(perEvent(spent, acknowledged))}`,
    );
    return rate;
  };
  const durable: number[] = [];
  const bare: number[] = [];
  // Alternately, so that the machine's load affects both; each round starts new journals.
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await countStored(database);
    durable.push(await measure(true));
    await checkStored(database, before);
    bare.push(await measure(false));
  }
  console.log(`durable ${Math.round(median(durable))} events/s (aim ${AIM_PER_SECOND})`);
  printRatio('durable to bare', median(durable) / median(bare), { atLeast: RATIO_LIMIT });
  if (values.profile) await profileWork(database, () => measure(true));
}

const perEvent = ({ server, load, database }: CpuTimes, events: number): CpuTimes => ({
  server: (server * 1_000) / events,
  load: (load * 1_000) / events,
  database: (database * 1_000) / events,
});

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

async function countStored({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    `select count(*)::int as events from audit_event where type like 'device-event.%'`,
  );
  return rows[0]?.events ?? 0;
}

/** Every event of this round is in the audit trail exactly once. */
async function checkStored(database: Database, before: number): Promise<void> {
  // In one statement, because on a slow machine the rest of the round is still being committed.
  const { rows } = await database.pool.query<{ events: number; acknowledged: number }>(
    `select (select count(*)::int from audit_event where type like 'device-event.%') as events,
       (select sum(journal_up_to)::int from device_instance) as acknowledged`,
  );
  const events = rows[0]?.events ?? 0;
  const acknowledged = rows[0]?.acknowledged ?? 0;
  console.log(`${events - before} events in the audit trail, ${acknowledged} acknowledged`);
  if (events - before !== acknowledged) throw new Error('events and acknowledgements differ');
}

/** The same path up to the commit: parsed, validated, and acknowledged, but not stored. */
function switchable(
  transport: DeviceTransport,
  path: { readonly commits: boolean },
): DeviceTransport {
  const acknowledge = (messages: readonly UpMessage[]): void => {
    transport.publish(
      messages.flatMap(({ deviceId, channel, payload }) => {
        const parsed =
          channel === 'journal' ? parseUpMessage(journalMessageSchema, payload) : undefined;
        if (!parsed?.message) return [];
        const { instanceId, epoch, entries } = parsed.message;
        const ack = { instanceId, epoch, upTo: entries.at(-1)?.seq ?? 0 };
        return [{ deviceId, channel: 'ack', payload: JSON.stringify(ack), qos: 0 } as const];
      }),
    );
  };
  return {
    ...transport,
    start: (handlers) =>
      transport.start({
        ...handlers,
        up: async (messages) => (path.commits ? handlers.up(messages) : acknowledge(messages)),
      }),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

await main();
