import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enrollmentRequestSchema } from '@deviceportal/device-protocol/enrollment';
import type { JournalMessage } from '@deviceportal/device-protocol/journal';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import type { UpChannel } from '@deviceportal/device-protocol/topics';
import { evaluateDevice } from '../../src/findings/evaluate-device.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  seedRun,
  until,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';

/** What agents of earlier releases sent: `scripts/record-agent.ts`. */
interface Recording {
  readonly commit: string;
  readonly date: string;
  readonly enrollment: unknown;
  readonly messages: readonly { readonly channel: UpChannel; readonly message: unknown }[];
}

const folder = new URL('../../../../packages/device-protocol/recordings/', import.meta.url);
const recordings: Recording[] = [];
for (const name of (await readdir(folder)).toSorted())
  recordings.push(JSON.parse(await readFile(new URL(name, folder), 'utf8')));

/** Versions of the protocol by the commit of the agent. */
const protocols: Readonly<Record<string, number>> = {
  '3ee3148d': 1,
  ea18bff0: 1,
  b3a045eb: 2,
  '5f3cd678': 3,
  '374697c9': 3,
};

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

test('every recording is tested', () => {
  expect(recordings.map(({ commit }) => commit).toSorted()).toEqual(
    Object.keys(protocols).toSorted(),
  );
});

describe.each(recordings)('an agent of $date ($commit)', (recording) => {
  const { messages, commit } = recording;
  const on = <Message>(channel: UpChannel): Message[] =>
    messages.filter((each) => each.channel === channel).map(({ message }) => message as Message);

  test('can enroll', () => {
    expect(enrollmentRequestSchema.safeParse(recording.enrollment).error).toBeUndefined();
  });

  test('is admitted, and everything that it sends is stored', async () => {
    const device = await enrollTestDevice(setup);
    const { deviceId } = device;
    const entries = on<JournalMessage>('journal').flatMap((message) => message.entries);
    const recorded = entries.flatMap((entry) =>
      entry.kind === 'invocation-result' ? [entry.invocationId] : [],
    );
    expect(recorded).toHaveLength(2);
    const runs = [];
    for (const _id of recorded) runs.push(await seedRun(setup.database, { deviceIds: [deviceId] }));
    const invocationIds = runs.map(({ invocationIds: [id = ''] }) => id);
    const renamed = (message: unknown): string => {
      const [birth] = on<StatusMessage>('status');
      let text = JSON.stringify(message).replaceAll(birth?.instanceId ?? '', device.instanceId);
      for (const [index, id] of recorded.entries())
        text = text.replaceAll(id, invocationIds[index] ?? '');
      return text;
    };

    await using agent = await connectDevice(setup, device, { birth: false });
    const stored = () =>
      rowsOf<Record<string, unknown>>(
        setup.database,
        `select protocol, connectivity, disconnect_reason as reason, s.agent_version as version
         from device_instance i join device_status s using (device_id) where i.device_id = $1`,
        [deviceId],
      );
    const [birth, ...others] = messages;
    await agent.say('status', renamed(birth?.message));
    await until(async () => (await stored())[0]?.['connectivity'] === 'online');
    await until(() => agent.commands().length === 2);
    for (const { channel, message } of others) await agent.say(channel, renamed(message));

    const last = Math.max(...entries.map(({ seq }) => seq));
    await until(() => agent.ackedUpTo === last);
    await until(async () => (await stored())[0]?.['connectivity'] === 'offline');
    expect(await stored()).toEqual([
      {
        protocol: protocols[commit],
        connectivity: 'offline',
        reason: 'shutdown',
        version: '0.1.0',
      },
    ]);
    const results = await rowsOf(
      setup.database,
      'select state, response_code from invocation where id = any($1) order by response_code',
      [invocationIds],
    );
    expect(results).toEqual([
      { state: 'Success', response_code: 0 },
      { state: 'Failed', response_code: 3 },
    ]);
    const refused = await rowsOf(
      setup.database,
      `select type, data from audit_event where device_id = $1
       and type in ('device.refused', 'device.journal-gap')`,
      [deviceId],
    );
    expect(refused).toEqual([]);
    const findings = await evaluateDevice(
      { database: setup.database, clock: () => new Date() },
      deviceId,
      {
        supportedCountries: [],
      },
    );
    const shown = findings.filter(({ rule }) => rule === 'agent-unsupported');
    expect(shown.map(({ remedy }) => remedy?.command)).toEqual(
      (protocols[commit] ?? 0) < 3 ? ['agent/update'] : [],
    );
  });
});
