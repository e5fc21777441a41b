import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeIdentity } from '../../../src/platform/backup/backup-encryption.ts';
import { signedBytes } from '../../../src/platform/backup/backup-format.ts';
import {
  isUnfinished,
  requireFinishedRestore,
} from '../../../src/platform/backup/unfinished-restore.ts';
import {
  generateSigningKey,
  keyIdOf,
  signWith,
  spkiOf,
} from '../../../src/platform/secrets/signing-key.ts';
import {
  BackupFixture,
  countRows,
  restoreCommandArgs,
  runRestore,
  type RestorePlace,
} from '../../support/database/backup-fixture.ts';

const DAMAGED = 2;
const NOT_PROVEN = 3;
const AGE_PIECE_BYTES = 64 * 1024 + 16;

let setup: BackupFixture;
let place: RestorePlace;
let whole: string;
let words: readonly string[];

beforeAll(async () => {
  setup = await BackupFixture.open();
  place = await setup.place();
  whole = await setup.backUp('whole.age');
  words = ['--identity', setup.identity, '--audit-key', setup.auditKey];
});
afterAll(() => setup[Symbol.asyncDispose]());

async function copyOf(name: string): Promise<string> {
  const file = join(setup.folder, name);
  await copyFile(whole, file);
  return file;
}

async function expectRefused(
  file: string,
  refused: { readonly code: number; readonly says: RegExp },
  args: readonly string[] = words,
): Promise<void> {
  const { code, output } = await runRestore(place, [file, ...args]);
  expect(output).toMatch(refused.says);
  expect(code).toBe(refused.code);
  expect(await countRows(place, 'setting')).toBe(0);
  expect(await readdir(place.dataDir)).toEqual([]);
}

describe('a person with only the file of a backup', () => {
  test.each([
    ['its header', 30],
    ['its rows', 90_000],
    ['its end', -20],
  ])('cannot change %s', async (_what, at) => {
    const file = await copyOf('flipped.age');
    const bytes = await readFile(file);
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    await writeFile(file, bytes);
    await expectRefused(file, { code: DAMAGED, says: /flipped\.age .+ Nothing was restored\./ });
  });

  test.each([
    ['its last byte', (length: number) => length - 1],
    [
      'whole encrypted pieces',
      (length: number) => length - ((length - 200) % AGE_PIECE_BYTES) - AGE_PIECE_BYTES,
    ],
  ])('cannot truncate %s', async (_what, lengthOf) => {
    const file = await copyOf('short.age');
    await truncate(file, lengthOf((await stat(file)).size));
    await expectRefused(file, { code: DAMAGED, says: /short\.age is truncated or damaged/ });
  });

  test('cannot read it with their own identity', async () => {
    const other = join(setup.folder, 'other.txt');
    await writeFile(other, (await makeIdentity(new Date())).text);
    await expectRefused(whole, { code: DAMAGED, says: /is encrypted for another identity/ }, [
      '--identity',
      other,
      '--audit-key',
      setup.auditKey,
    ]);
  });
});

describe('a person with the identity, who can read and write backups', () => {
  test('cannot change a row', async () => {
    const file = await copyOf('changed.age');
    await setup.rewrite(file, (lines) => lines.replace('localhost:8080', 'localhost:8081'));
    await expectRefused(file, { code: NOT_PROVEN, says: /was changed after it was signed/ });
  });

  test('cannot sign it again, although the backup names the keys of its trail', async () => {
    const file = await copyOf('resigned.age');
    await setup.rewrite(file, signAgain);
    await expectRefused(file, {
      code: NOT_PROVEN,
      says: /not signed by a key that is known from another source/,
    });
  });

  test('cannot execute statements by the name of a table', async () => {
    const file = await copyOf('statement.age');
    const name = 'public.setting; create role thief superuser; --';
    await setup.rewrite(file, (lines) =>
      lines.replace('"name":"public.setting"', `"name":"${name}"`),
    );
    await expectRefused(file, {
      code: DAMAGED,
      says: /contains a table that does not exist in its release/,
    });
    const { rowCount } = await place.database.owner.pool.query(
      "select from pg_roles where rolname = 'thief'",
    );
    expect(rowCount).toBe(0);
  });

  test('cannot write a file that is not part of a backup', async () => {
    const file = await copyOf('path.age');
    await setup.rewrite(file, (lines) =>
      lines.replace('"path":"keys/installation.key"', '"path":"postgres/pg_hba.conf"'),
    );
    await expectRefused(file, { code: DAMAGED, says: /path\.age is truncated or damaged/ });
  });

  test('cannot present an older backup as the newest', async () => {
    await setup.sealOne();
    const checkpoint = await setup.saveCheckpoint();
    await expectRefused(
      whole,
      {
        code: NOT_PROVEN,
        says: /older than the checkpoint: .* ends at block 1, .* is for block 2/,
      },
      ['--identity', setup.identity, '--checkpoint', checkpoint],
    );
    const newer = await setup.backUp('newer.age');
    const { code, output } = await runRestore(await setup.place(), [
      ...[newer, '--identity', setup.identity],
      ...['--checkpoint', checkpoint],
    ]);
    expect(output).toContain('The block of the checkpoint is in the chain.');
    expect(code).toBe(0);
  });
});

describe('an operator is asked for what makes a backup secure', () => {
  test('the identity, and a key that is known outside the backup', async () => {
    await expectRefused(whole, { code: 1, says: /Set the identity file of the backup/ }, []);
    await expectRefused(
      whole,
      { code: 1, says: /No trusted key of the audit trail was found outside/ },
      ['--identity', setup.identity],
    );
  });

  test('plaintext is read only if it is named explicitly', async () => {
    const earlier = join(import.meta.dirname, '../../support/database/backup-version-2.gz');
    await expectRefused(earlier, { code: 1, says: /is not encrypted/ });
    await expectRefused(earlier, { code: 1, says: /No trusted key of the audit trail/ }, [
      '--plaintext',
    ]);
    await expectRefused(whole, { code: 1, says: /is encrypted\. Set its identity file/ }, [
      '--plaintext',
      '--trust-keys-in-backup',
    ]);
  });
});

test('a restore is recorded, with the time of its backup and the verified chain', async () => {
  const there = await setup.place();
  const { code } = await runRestore(there, [
    ...[whole, '--identity', setup.identity, '--audit-key', setup.auditKey],
  ]);
  expect(code).toBe(0);
  const { rows } = await there.database.owner.pool.query(
    `select actor_kind, data from audit_event where type = 'installation.restored'`,
  );
  expect(rows).toEqual([
    {
      actor_kind: 'system',
      data: {
        backupMadeAt: '2030-01-02T03:04:05.000Z',
        blocks: 1,
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  ]);
});

test('a backup of the previous release is restored if the operator declares it trusted', async () => {
  const earlier = join(import.meta.dirname, '../../support/database/backup-version-2.gz');
  const there = await setup.place();
  const { code, output } = await runRestore(there, [
    ...[earlier, '--plaintext', '--trust-keys-in-backup'],
  ]);
  expect(output).toMatch(/\d+ audit events in \d+ blocks match their seals/);
  expect(output).toContain('Not proven: the keys.');
  expect(code).toBe(0);
  expect(await countRows(there, 'portal_user')).toBeGreaterThan(0);
});

test.each([
  [
    'while rows are read',
    async (at: RestorePlace) => (await readdir(at.dataDir)).includes('restoring'),
  ],
  ['before it is proven', ({ database }: RestorePlace) => isUnfinished(database.owner.pool)],
])('a restore that is killed %s leaves nothing that a server opens', async (_when, hasCome) => {
  const there = await setup.place();
  const { args, env } = restoreCommandArgs(there, [whole, ...words]);
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!(await hasCome(there)) && child.exitCode === null);
  child.kill('SIGKILL');
  await ended;
  expect(child.signalCode).toBe('SIGKILL');
  const { pool } = there.database.owner;
  await expect(requireFinishedRestore(pool, there.dataDir)).rejects.toThrow(
    /A restore was interrupted.*Run "npm run restore" again/,
  );
  const again = await runRestore(there, [whole, ...words]);
  expect(again).toMatchObject({ code: 0 });
  await expect(requireFinishedRestore(pool, there.dataDir)).resolves.toBeUndefined();
  expect(await countRows(there, 'setting')).toBe(
    await countRows({ ...there, database: setup.source }, 'setting'),
  );
});

/** With another key, which the header declares as that of the trail. */
async function signAgain(lines: string): Promise<string> {
  const key = generateSigningKey();
  const publicKey = Buffer.from(spkiOf(key));
  const [first = '', ...rest] = lines.trimEnd().split('\n').slice(0, -1);
  const header = JSON.parse(first);
  header.auditKeys = [{ publicKey: publicKey.toString('base64'), since: new Date().toISOString() }];
  const before = `${[JSON.stringify(header), ...rest].join('\n')}\n`;
  const sha256 = createHash('sha256').update(Buffer.from(before, 'latin1')).digest('hex');
  const signature = Buffer.from(await signWith(key, signedBytes(sha256))).toString('base64');
  const end = { kind: 'signature', keyId: keyIdOf(publicKey), signature };
  return `${before}${JSON.stringify(end)}\n`;
}
