import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { auditKeysOf, auditSignerOf } from '../../../src/audit-trail/audit-signer.ts';
import { lastBlock } from '../../../src/audit-trail/data/sealing/block-queries.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import { identityMigrations } from '../../../src/compose/identity-migrations.ts';
import { makeIdentity } from '../../../src/platform/backup/backup-encryption.ts';
import { filesIn } from '../../platform/files/files-in.ts';
import { writeBackup } from '../../../src/platform/backup/write-backup.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import {
  openInstallationSecrets,
  type InstallationSecrets,
} from '../../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../../src/platform/secrets/file-secret-engine.ts';
import { sealing } from '../audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from './create-test-database.ts';
import { programEnv } from '../programs/program-env.ts';
import { commandFile } from '../programs/program-files.ts';

/** The target of `npm run restore`, and what it needs. */
export interface RestorePlace {
  readonly database: TestDatabase;
  readonly dataDir: string;
}

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** An installation with a sealed trail, whose backups are encrypted for one identity. */
export class BackupFixture implements AsyncDisposable {
  readonly folder: string;
  readonly source: TestDatabase;
  readonly secrets: InstallationSecrets;
  /** The file of the identity. */
  readonly identity: string;
  readonly #recipient: string;
  readonly #secret: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(
    made: Pick<BackupFixture, 'folder' | 'source' | 'secrets' | 'identity'>,
    keys: { readonly recipient: string; readonly text: string },
    resources: AsyncDisposableStack,
  ) {
    this.folder = made.folder;
    this.source = made.source;
    this.secrets = made.secrets;
    this.identity = made.identity;
    this.#recipient = keys.recipient;
    this.#secret = /^AGE-SECRET-KEY-.*$/m.exec(keys.text)?.[0] ?? '';
    this.#resources = resources;
  }

  static async open(): Promise<BackupFixture> {
    await using resources = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'dp-backup-'));
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const source = resources.use(await createTestDatabase());
    const secrets = await openInstallationSecrets(createFileSecrets(join(folder, 'from')));
    const keys = await makeIdentity(new Date());
    const identity = join(folder, 'identity.txt');
    await writeFile(identity, keys.text);
    await source.database.pool.query(
      `insert into setting (key, value) values ('public-url', '"http://localhost:8080"')`,
    );
    // Not compressible, so that a backup has several of the separately encrypted pieces.
    await source.database.pool.query(`insert into setting (key, value)
      select 'random-' || i, to_jsonb(encode(sha512(convert_to(random()::text, 'UTF8')), 'base64'))
      from generate_series(1, 4000) i`);
    const setup = new BackupFixture({ folder, source, secrets, identity }, keys, resources.move());
    await setup.sealOne();
    return setup;
  }

  /** The key to pin, as an operator writes it down. */
  get auditKey(): string {
    return auditSignerOf(this.secrets.signingKeys('audit')).publicKey.toString('base64url');
  }

  async sealOne(): Promise<void> {
    const { database } = this.source;
    await inTransaction(database, (tx) =>
      recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
    );
    const signer = auditSignerOf(this.secrets.signingKeys('audit'));
    await sealAuditTrail({ ...sealing(this.source), signer });
  }

  /** The newest block and the keys of the installation, as saved by the portal. */
  async saveCheckpoint(): Promise<string> {
    const { orm } = this.source.database;
    const path = join(this.folder, 'checkpoint.json');
    const keys = auditKeysOf(this.secrets.signingKeys('audit'));
    const checkpoint = { block: await lastBlock(orm), keys };
    await writeFile(path, JSON.stringify(checkpoint));
    return path;
  }

  async backUp(name = 'backup.age'): Promise<string> {
    const file = join(this.folder, name);
    await writeBackup({
      database: this.source.database,
      dataDir: join(this.folder, 'from'),
      files: filesIn(join(this.folder, 'from')),
      file,
      clock: () => new Date('2030-01-02T03:04:05.000Z'),
      recipients: [this.#recipient],
      migrations: identityMigrations,
      auditKeys: this.secrets.signingKeys('audit'),
    });
    return file;
  }

  /** Modifies a backup as a holder of the identity can: everything is encrypted for it again. */
  async rewrite(file: string, change: (lines: string) => string | Promise<string>): Promise<void> {
    const decrypter = new Decrypter();
    decrypter.addIdentity(this.#secret);
    const zipped = await decrypter.decrypt(new Uint8Array(await readFile(file)));
    const lines = gunzipSync(zipped).toString('latin1');
    const changed = await change(lines);
    if (changed === lines) throw new Error('nothing was changed');
    const encrypter = new Encrypter();
    encrypter.addRecipient(this.#recipient);
    await writeFile(file, await encrypter.encrypt(gzipSync(Buffer.from(changed, 'latin1'))));
  }

  /** A new place for each restore. */
  async place(): Promise<RestorePlace> {
    const database = this.#resources.use(await createTestDatabase({ empty: true }));
    return { database, dataDir: await mkdtemp(join(this.folder, 'to-')) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** What a restore is told about people erased since. */
export type KnownErasures =
  | readonly ['--no-erasures']
  | readonly ['--erasures', string]
  | readonly [];

/** Arguments to run `npm run restore` as a separate process. */
export function restoreCommandArgs(
  place: RestorePlace,
  words: readonly string[],
  erasures: KnownErasures = ['--no-erasures'],
) {
  return {
    args: [commandFile('restore'), ...words, ...erasures, '--data-dir', place.dataDir],
    env: { ...programEnv, DEVICEPORTAL_DATABASE_URL: place.database.url },
  };
}

export function runRestore(
  place: RestorePlace,
  words: readonly string[],
  erasures?: KnownErasures,
): Promise<CommandResult> {
  const { args, env } = restoreCommandArgs(place, words, erasures);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, output: out + errors }),
    );
  });
}

/** Rows that a restore left behind, at whatever point it ended. */
export async function countRows({ database }: RestorePlace, table: string): Promise<number> {
  const { rows } = await database.owner.pool.query<{ found: string | null }>(
    'select to_regclass($1)::text as found',
    [table],
  );
  if (rows[0]?.found == null) return 0;
  return (await database.owner.pool.query(`select from ${table}`)).rowCount ?? 0;
}
