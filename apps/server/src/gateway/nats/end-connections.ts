import type { NatsConnection } from '@nats-io/transport-node';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { z } from 'zod';

/** https://docs.nats.io/running-a-nats-service/configuration/sys_accounts */
const FIND_SUBJECT = '$SYS.REQ.ACCOUNT.PING.CONNZ';
const endSubject = (serverId: string): string => `$SYS.REQ.SERVER.${serverId}.KICK`;
/** Every node answers, also if the device is not connected to it. */
const ANSWERS_WITHIN_MS = 2_000;
const SILENCE_MS = 500;
/** Each node looks through all of its connections. */
const AT_ONCE = 4;

const answerSchema = z.object({
  server: z.object({ id: z.string() }),
  data: z.object({ connections: z.array(z.object({ cid: z.number() })) }),
});

/** Ends connections of devices on any node. Does nothing for devices that are not connected. */
export async function endConnections(
  connection: NatsConnection,
  deviceIds: readonly string[],
): Promise<void> {
  const waiting = [...deviceIds];
  const work = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      await endOne(connection, id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function endOne(connection: NatsConnection, deviceId: string): Promise<void> {
  const answers = await connection.requestMany(
    FIND_SUBJECT,
    JSON.stringify({ mqtt_client: deviceId }),
    { strategy: 'stall', maxWait: ANSWERS_WITHIN_MS, stall: SILENCE_MS },
  );
  for await (const answer of answers) {
    const { data: found } = safeParse(answerSchema, answer.json());
    for (const { cid } of found?.data.connections ?? []) {
      const subject = endSubject(found?.server.id ?? '');
      await connection.request(subject, JSON.stringify({ cid }), { timeout: ANSWERS_WITHIN_MS });
    }
  }
}
