import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureAnchorProgress } from '../../src/audit-trail/anchors/anchor-store.ts';
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
import { AuditRotationBed } from '../support/audit/audit-rotation-bed.ts';

const ANNOUNCED = 'audit-trail.key-announced';
const ROTATED = 'audit-trail.key-rotated';

let bed: AuditRotationBed;
beforeEach(async () => {
  bed = await AuditRotationBed.open();
});
afterEach(() => bed[Symbol.asyncDispose]());

const ringOf = (secrets: InstallationSecrets) => secrets.signingKeys('audit');
const signerOf = (secrets: InstallationSecrets) => auditSignerOf(ringOf(secrets));

test('[audit-key-1] the chain goes on with the next key, and all of it verifies with the ring', async () => {
  const before = signerOf(bed.secrets).keyId;
  expect(await bed.rotate()).toMatchObject({ kind: 'done' });
  await bed.seal();
  const after = signerOf(bed.secrets).keyId;
  expect(after).not.toBe(before);
  expect(await bed.signers()).toEqual([before, after]);
  expect(await bed.verify()).toMatchObject({ broken: null, strays: 0 });
  expect(await bed.rotate()).toMatchObject({ kind: 'done' });
  await bed.seal();
  expect(await bed.signers()).toHaveLength(3);
  expect(await bed.verify()).toMatchObject({ broken: null });
});

test('[audit-key-2] the private key before is on the disk no more', async () => {
  await bed.rotate();
  const text = await readFile(join(bed.dataDir, ringFileOf('audit')), 'utf8');
  const { keys } = JSON.parse(text) as { keys: { state: string; privateKey?: string }[] };
  expect(keys.filter(({ privateKey }) => privateKey !== undefined)).toMatchObject([
    { state: 'current' },
  ]);
});

test('[audit-key-3] the announcement is sealed by the key before, and names the next one', async () => {
  const before = signerOf(bed.secrets).keyId;
  await bed.rotate();
  const { rows } = await bed.test.database.pool.query(
    `select b.key_id as "sealedBy", e.data->>'keyId' as "keyId", e.data->'endorsement'->>'by' as by
     from audit_event e join audit_block b on e.id = any(b.event_ids) where e.type = $1`,
    [ANNOUNCED],
  );
  const keyId = signerOf(bed.secrets).keyId;
  expect(rows).toEqual([{ sealedBy: before, keyId, by: before }]);
});

test('[audit-key-4] nothing is handed over before every place outside has the announcement', async () => {
  const place = { name: 'file', everyMs: 0 } as const;
  const before = signerOf(bed.secrets).keyId;
  await ensureAnchorProgress(bed.test.database.orm, ['file']);
  expect(await bed.rotate(bed.secrets, [place])).toMatchObject({
    kind: 'pends',
    reason: expect.stringContaining('file'),
  });
  await bed.seal();
  expect(await bed.signers()).toEqual([before]);
  await bed.test.owner.pool.query('update audit_anchor_progress set delivered = 1000');
  expect(await bed.rotate(bed.secrets, [place])).toMatchObject({ kind: 'done' });
  expect(await bed.countEvents(ANNOUNCED)).toBe(1);
});

describe('a process that is killed', () => {
  const prepared = async (): Promise<SigningKey> => {
    await ringOf(bed.secrets).prepare(new Date());
    return ringOf(bed.secrets).next as SigningKey;
  };
  const announced = async (): Promise<SigningKey> => {
    const next = await prepared();
    await announceAuditKey(bed.test.database, ringOf(bed.secrets), next);
    return next;
  };
  const sealed = async (): Promise<SigningKey> => {
    const next = await announced();
    await bed.seal();
    return next;
  };
  const handedOver = async () => {
    const next = await sealed();
    const deps = { database: bed.test.database, clock: () => new Date() };
    const signer = signerOf(bed.secrets);
    return handOverAuditKey({ ...deps, signer }, auditSigningKeyOf(next));
  };
  const promoted = async () => ringOf(bed.secrets).promote(new Date(), await handedOver());

  test.each([
    ['after the key was made', prepared],
    ['after it was announced', announced],
    ['after the announcement was sealed', sealed],
    ['after the chain has gone over', handedOver],
    ['after the key before was destroyed', promoted],
  ])('[audit-key-5] %s is followed by the next one', async (_when, killed) => {
    const [before] = await bed.signers();
    await killed();
    // Servers go on sealing with what they have in memory, until somebody goes on with the rotation.
    await bed.seal();
    expect(await bed.verify()).toMatchObject({ broken: null });
    const next = await bed.another();
    if (ringOf(next).next !== undefined) await bed.rotate(next);
    await bed.seal(next);
    await bed.seal(bed.secrets);
    expect(await bed.signers()).toEqual([before, signerOf(next).keyId]);
    expect(await bed.verify()).toMatchObject({ broken: null });
    expect(await bed.countEvents(ANNOUNCED)).toBe(1);
    expect(await bed.countEvents(ROTATED)).toBe(1);
    expect(await bed.countEvents('installation.secret-rotated')).toBe(1);
    expect(ringOf(next).known.map(({ lastBlock }) => lastBlock !== undefined)).toEqual([
      false,
      true,
    ]);
  });
});

describe('a server with a ring of its own', () => {
  let otherDir: string;
  beforeEach(async () => {
    otherDir = await mkdtemp(join(tmpdir(), 'dp-audit-other-'));
    await cp(bed.dataDir, otherDir, { recursive: true });
  });
  afterEach(() => rm(otherDir, { recursive: true, force: true }));

  const announce = async (secrets: InstallationSecrets, id: string): Promise<void> =>
    recordServer(bed.test.database.orm, {
      ...{ id, name: 'other:1' },
      secrets: await secretFingerprints(secrets),
    });

  test('[audit-key-6] holds the rotation up until it knows the next key', async () => {
    const other = await bed.another(otherDir);
    const id = randomUUID();
    await announce(other, id);
    expect(await bed.rotate()).toMatchObject({ kind: 'waits', servers: ['other:1'] });
    await cp(bed.dataDir, otherDir, { recursive: true });
    await other.refresh();
    await announce(other, id);
    expect(await bed.rotate()).toMatchObject({
      kind: 'done',
      lines: [expect.anything(), expect.stringContaining('other:1')],
    });
  });

  test('[audit-key-7] goes on with the next key while its ring says that the key before is current', async () => {
    const other = await bed.another(otherDir);
    await ringOf(bed.secrets).prepare(new Date());
    await cp(bed.dataDir, otherDir, { recursive: true });
    await bed.rotate();
    await bed.seal(other);
    expect(ringOf(other).next).toBeDefined();
    expect((await bed.signers()).at(-1)).toBe(signerOf(bed.secrets).keyId);
    expect(await bed.verify()).toMatchObject({ broken: null });
  });

  test('[audit-key-8] seals nothing when it does not know the next key at all', async () => {
    const other = await bed.another(otherDir);
    await bed.rotate();
    await expect(bed.seal(other)).rejects.toMatchObject({ reason: 'unsigned' });
    await bed.seal();
    expect(await bed.verify()).toMatchObject({ broken: null });
    expect(auditKeysOf(ringOf(other))).toHaveLength(1);
  });
});
