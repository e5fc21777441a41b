import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endorsedBytes,
  keyIdOf,
  publishKeys,
  type RingKey,
} from '@deviceportal/command-signing/key-trust';
import { signStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import {
  openSigningKeyRing,
  type RotatingKeyRing,
} from '../../src/platform/secrets/signing-key-ring.ts';
import type { SigningKey } from '../../src/platform/secrets/signing-key.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { nothingShown, origin, viewerWith } from '../support/command-fixture.ts';
import { withdrawKey } from '../../src/signing-keys/change-ring.ts';
import {
  announceNextKey,
  useNextKey,
  withdrawOneKey,
} from '../../src/signing-keys/operate-ring.ts';
import { rotateDueRings } from '../../src/signing-keys/rotate-due-rings.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { createMemorySecrets } from '../support/secrets/memory-secrets.ts';
import { openRealAgentFixture, type RealAgentFixture } from '../support/real-agent-fixture.ts';

const DAY_MS = 86_400_000;
let setup: RealAgentFixture;
let ring: RotatingKeyRing;
/** With its private key. */
let stolen: SigningKey;

beforeAll(async () => {
  const store = createMemorySecrets();
  ring = await openSigningKeyRing({ store, name: 'runs', now: new Date() });
  setup = await openRealAgentFixture({ runs: ring });
});
afterAll(() => setup[Symbol.asyncDispose]());

const change = (now = new Date()) =>
  ({ database: setup.setup.database, name: 'runs', ring, now }) as const;
const ids = (keys: readonly RingKey[]): string[] => keys.map(({ keyId }) => keyId).toSorted();

async function pinned(): Promise<readonly string[]> {
  const [row] = await rowsOf<{ keys: string[] | null }>(
    setup.setup.database,
    `select run_key_ids as keys from device_instance where device_id = $1 and state = 'current'`,
    [setup.deviceId],
  );
  return (row?.keys ?? []).toSorted();
}
const pins = (wanted: readonly string[]) =>
  until(async () => JSON.stringify(await pinned()) === JSON.stringify(wanted));
const runs = async (): Promise<string> =>
  (await setup.deliver((await setup.request('true')).id)).status_details;

test('[rotation-1] a connected device receives the next key before it signs, and obeys both', async () => {
  const first = ring.current.keyId;
  expect(await announceNextKey(change())).toContain('is announced to devices');
  await pins(ids(ring.pinned));
  expect(await runs()).toBe('Success');
  await useNextKey(change());
  expect(ring.current.keyId).not.toBe(first);
  await pins(ids(ring.pinned));
  expect(await runs()).toBe('Success');
});

test('a device that was offline for several rotations follows the chain and removes expired keys', async () => {
  setup.agent.agent.disconnect();
  const before = await pinned();
  for (let count = 0; count < 3; count += 1) await useNextKey(change());
  const secrets = { signingKeys: () => ring };
  const clock = () => new Date(Date.now() + 36 * DAY_MS);
  await rotateDueRings({ database: setup.setup.database, secrets, clock, maxAgeDays: 0 });
  expect(ids(ring.pinned)).toEqual([ring.current.keyId]);
  expect(before).not.toContain(ring.current.keyId);
  setup.agent.agent.connect();
  await pins([ring.current.keyId]);
  expect(await runs()).toBe('Success');
});

test('[rotation-3] devices and the server reject signatures of a withdrawn key', async () => {
  const waiting = await setup.request('true');
  stolen = ring.current;
  expect(await withdrawOneKey(change(), stolen.keyId)).toContain('is withdrawn');
  const end = await setup.deliver(waiting.id);
  await pins([ring.current.keyId]);
  const again = await setup.request('true');
  await setup.sql(
    `update run_signature as mine set statement = other.statement, signatures = other.signatures
     from run_signature as other where mine.run_id = $1 and other.run_id = $2`,
    [again.id, waiting.id],
  );
  expect(end.status_details).toBe('Access Denied');
  expect(await setup.deliver(again.id)).toMatchObject({
    status_details: 'Access Denied',
    output_preview: expect.stringContaining('does not trust'),
  });
  const repeated = rerunCommand(setup.fixture.deps, viewerWith('Administrator'), {
    ...{ runId: waiting.id, onlyFailed: false, answer: null, agreement: nothingShown },
    ...{ confirmation: '', idempotencyKey: randomUUID(), origin },
  });
  await expect(repeated).rejects.toMatchObject({ facts: { fault: 'unknown-key' } });
  const events = await rowsOf<{ data: object }>(
    setup.setup.database,
    `select data from audit_event where type = 'access.device-key-withdrawn'`,
  );
  expect(events).toMatchObject([{ data: { ring: 'runs', keyId: stolen.keyId } }]);
});

/** A ring as the server would announce it, signed with a given key. */
async function announce(
  by: { readonly keyId: string; readonly sign: (message: Uint8Array) => Promise<Uint8Array> },
  { sequence, trusted, keys = [] }: { sequence: number; trusted: string[]; keys?: RingKey[] },
): Promise<void> {
  const set = {
    ring: 'runs',
    sequence,
    trusted,
    withdrawn: [],
    issuedAt: new Date().toISOString(),
  };
  const message = {
    ring: 'runs',
    keys: publishKeys([...keys, ...ring.known]),
    statement: await signStatement(statementTypes.keySet, set, by),
  };
  const payload = JSON.stringify(message);
  setup.setup.broker.devices.publish([
    { deviceId: setup.deviceId, channel: 'run-keys', qos: 1, payload },
  ]);
}

test('a thief with a withdrawn key cannot make a device trust it, or another key, again', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }));
  const own = {
    keyId: keyIdOf(spki),
    publicKey: spki,
    endorsement: { by: stolen.keyId, signature: await stolen.sign(endorsedBytes('runs', spki)) },
    sign: async (message: Uint8Array) => sign(null, message, privateKey),
  };
  const current = ring.current.keyId;
  const before = await pinned();
  await announce(stolen, { sequence: 1_000, trusted: [stolen.keyId, current] });
  await announce(own, { sequence: 1_001, trusted: [own.keyId, current], keys: [own] });
  expect(await runs()).toBe('Success');
  expect(await pinned()).toEqual(before);
});

test('an older key set, or one signed by an earlier key, removes no key', async () => {
  const earlier = ring.current;
  await useNextKey(change());
  await pins(ids(ring.pinned));
  const before = await pinned();
  await announce(ring.current, { sequence: ring.sequence - 1, trusted: [ring.current.keyId] });
  await announce(earlier, { sequence: 1_000, trusted: [earlier.keyId] });
  expect(await runs()).toBe('Success');
  expect(await pinned()).toEqual(before);
});

test('a key that does not exist or has not signed cannot be withdrawn', async () => {
  await expect(withdrawKey(change(), 'unknown')).rejects.toThrow(RangeError);
  await announceNextKey(change());
  await expect(withdrawOneKey(change(), ring.next?.keyId ?? '')).rejects.toThrow(
    'cannot be withdrawn',
  );
});
