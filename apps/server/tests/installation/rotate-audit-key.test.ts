import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureAnchorProgress } from '../../src/audit-trail/data/anchors/anchor-progress-queries.ts';
import {
  auditKeysOf,
  auditSignerOf,
  auditSigningKeyOf,
} from '../../src/audit-trail/audit-signer.ts';
import { handOverAuditKey } from '../../src/audit-trail/hand-over-audit-key.ts';
import { announceAuditKey } from '../../src/installation/announce-audit-key.ts';
import { recordServer } from '../../src/installation/data/installation-queries.ts';
import { secretFingerprints } from '../../src/installation/secret-fingerprints.ts';
import type { InstallationSecrets, SigningKey } from '../../src/platform/installation-secrets.ts';
import { ringFileOf } from '../../src/platform/secrets/signing-key-ring.ts';
import { AuditRotationFixture } from '../support/audit/audit-rotation-fixture.ts';

const ANNOUNCED = 'audit-trail.key-announced';
const ROTATED = 'audit-trail.key-rotated';

let setup: AuditRotationFixture;
beforeEach(async () => {
  setup = await AuditRotationFixture.open();
});
afterEach(() => setup[Symbol.asyncDispose]());

const ringOf = (secrets: InstallationSecrets) => secrets.signingKeys('audit');
const signerOf = (secrets: InstallationSecrets) => auditSignerOf(ringOf(secrets));

test('continues the chain with the next key, and verifies all of it with the key ring', async () => {
  const before = signerOf(setup.secrets).keyId;
  expect(await setup.rotate()).toMatchObject({ kind: 'done' });
  await setup.seal();
  const after = signerOf(setup.secrets).keyId;
  expect(after).not.toBe(before);
  expect(await setup.signers()).toEqual([before, after]);
  expect(await setup.verify()).toMatchObject({ broken: null, strays: 0 });
  expect(await setup.rotate()).toMatchObject({ kind: 'done' });
  await setup.seal();
  expect(await setup.signers()).toHaveLength(3);
  expect(await setup.verify()).toMatchObject({ broken: null });
});

test('removes the previous private key from the disk', async () => {
  await setup.rotate();
  const text = await readFile(join(setup.dataDir, ringFileOf('audit')), 'utf8');
  const { keys } = JSON.parse(text) as { keys: { state: string; privateKey?: string }[] };
  expect(keys.filter(({ privateKey }) => privateKey !== undefined)).toMatchObject([
    { state: 'current' },
  ]);
});

test('seals the announcement with the previous key and names the next one in it', async () => {
  const before = signerOf(setup.secrets).keyId;
  await setup.rotate();
  const { rows } = await setup.test.database.pool.query(
    `select b.key_id as "sealedBy", e.data->>'keyId' as "keyId", e.data->'endorsement'->>'by' as by
     from audit_event e join audit_block b on e.id = any(b.event_ids) where e.type = $1`,
    [ANNOUNCED],
  );
  const keyId = signerOf(setup.secrets).keyId;
  expect(rows).toEqual([{ sealedBy: before, keyId, by: before }]);
});

test('switches keys only after every external place has stored the announcement', async () => {
  const place = { name: 'file', everyMs: 0 } as const;
  const before = signerOf(setup.secrets).keyId;
  await ensureAnchorProgress(setup.test.database.orm, 'file');
  expect(await setup.rotate(setup.secrets, [place])).toMatchObject({
    kind: 'pends',
    reason: expect.stringContaining('file'),
  });
  await setup.seal();
  expect(await setup.signers()).toEqual([before]);
  await setup.test.owner.pool.query('update audit_anchor_progress set delivered = 1000');
  expect(await setup.rotate(setup.secrets, [place])).toMatchObject({ kind: 'done' });
  expect(await setup.countEvents(ANNOUNCED)).toBe(1);
});

describe('a process that is killed', () => {
  const prepared = async (): Promise<SigningKey> => {
    await ringOf(setup.secrets).prepare(new Date());
    return ringOf(setup.secrets).next as SigningKey;
  };
  const announced = async (): Promise<SigningKey> => {
    const next = await prepared();
    await announceAuditKey(setup.test.database, ringOf(setup.secrets), next);
    return next;
  };
  const sealed = async (): Promise<SigningKey> => {
    const next = await announced();
    await setup.seal();
    return next;
  };
  const handedOver = async () => {
    const next = await sealed();
    const deps = { database: setup.test.database, clock: () => new Date() };
    const signer = signerOf(setup.secrets);
    return handOverAuditKey({ ...deps, signer }, auditSigningKeyOf(next));
  };
  const promoted = async () => ringOf(setup.secrets).promote(new Date(), await handedOver());

  test.each([
    ['after the key was created', prepared],
    ['after it was announced', announced],
    ['after the announcement was sealed', sealed],
    ['after the chain has switched keys', handedOver],
    ['after the previous key was destroyed', promoted],
  ])('continues after the process was killed %s', async (_when, killed) => {
    const [before] = await setup.signers();
    await killed();
    // Servers continue to seal with the key in memory until the rotation is continued.
    await setup.seal();
    expect(await setup.verify()).toMatchObject({ broken: null });
    const next = await setup.another();
    if (ringOf(next).next !== undefined) await setup.rotate(next);
    await setup.seal(next);
    await setup.seal(setup.secrets);
    expect(await setup.signers()).toEqual([before, signerOf(next).keyId]);
    expect(await setup.verify()).toMatchObject({ broken: null });
    expect(await setup.countEvents(ANNOUNCED)).toBe(1);
    expect(await setup.countEvents(ROTATED)).toBe(1);
    expect(await setup.countEvents('installation.secret-rotated')).toBe(1);
    expect(ringOf(next).known.map(({ lastBlock }) => lastBlock !== undefined)).toEqual([
      false,
      true,
    ]);
  });
});

describe('a server with its own key ring', () => {
  let otherDir: string;
  beforeEach(async () => {
    otherDir = await mkdtemp(join(tmpdir(), 'dp-audit-other-'));
    await cp(setup.dataDir, otherDir, { recursive: true });
  });
  afterEach(() => rm(otherDir, { recursive: true, force: true }));

  const announce = async (secrets: InstallationSecrets, id: string): Promise<void> =>
    recordServer(setup.test.database.orm, {
      ...{ id, name: 'other:1' },
      secrets: await secretFingerprints(secrets),
    });

  test('delays the rotation until it has the next key', async () => {
    const other = await setup.another(otherDir);
    const id = randomUUID();
    await announce(other, id);
    expect(await setup.rotate()).toMatchObject({ kind: 'waits', servers: ['other:1'] });
    await cp(setup.dataDir, otherDir, { recursive: true });
    await other.refresh();
    await announce(other, id);
    expect(await setup.rotate()).toMatchObject({
      kind: 'done',
      lines: [expect.anything(), expect.stringContaining('other:1')],
    });
  });

  test('seals with the next key while its ring still names the previous key as current', async () => {
    const other = await setup.another(otherDir);
    await ringOf(setup.secrets).prepare(new Date());
    await cp(setup.dataDir, otherDir, { recursive: true });
    await setup.rotate();
    await setup.seal(other);
    expect(ringOf(other).next).toBeDefined();
    expect((await setup.signers()).at(-1)).toBe(signerOf(setup.secrets).keyId);
    expect(await setup.verify()).toMatchObject({ broken: null });
  });

  test('seals nothing when it does not have the next key', async () => {
    const other = await setup.another(otherDir);
    await setup.rotate();
    await expect(setup.seal(other)).rejects.toMatchObject({ reason: 'unsigned' });
    await setup.seal();
    expect(await setup.verify()).toMatchObject({ broken: null });
    expect(auditKeysOf(ringOf(other))).toHaveLength(1);
  });
});
