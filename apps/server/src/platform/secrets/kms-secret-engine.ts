import { randomUUID } from 'node:crypto';
import type { AwsOptions, DataKeyPlace, DataKeys } from '../aws/aws-package.ts';
import { answerOf } from '../aws/answer-of.ts';
import { loadAws } from '../aws/load-aws.ts';
import type { Database } from '../database/database.ts';
import { freezeSetting } from '../freeze-setting.ts';
import { StartError } from '../process/start-error.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';
import type { SecretEngine } from './secret-engine.ts';
import {
  insertSealedSecret,
  readOtherKeys,
  readSealedSecret,
  removeSealedSecret,
  replaceSealedSecret,
  storesSealedSecrets,
  type SealedSecret,
} from './sealed-secret-store.ts';

export interface KmsSecretsDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly keys: DataKeys;
  readonly keyArn: string;
}

/** Sealed values are read from the database, which costs nothing. */
const REFRESH_MS = 2_000;

/**
 * Secrets in the database, each sealed with a data key of its own that only KMS can decrypt. They are
 * plain only in the memory of servers.
 *
 * @throws StartError if the package of its client is not installed
 */
export async function openKmsSecrets(
  options: AwsOptions,
  { database, keyArn }: Omit<KmsSecretsDeps, 'keys'>,
): Promise<SecretEngine> {
  const { createDataKeys } = await loadAws('kms', 'DEVICEPORTAL_SECRETS');
  return createKmsSecrets({ database, keyArn, keys: createDataKeys(options) });
}

/** As `openKmsSecrets`. A call that KMS rejects throws a StartError that contains its answer. */
export async function createKmsSecrets(deps: KmsSecretsDeps): Promise<SecretEngine> {
  const { orm } = deps.database;
  const keyArn = arnInAnyRegion(deps.keyArn);
  const known = new KnownSecrets(deps);
  const placeOf = (name: string): string => `${name} (sealed with ${deps.keyArn})`;
  return {
    placeOf,
    refreshMs: REFRESH_MS,
    remedy: remedyOf((await storesSealedSecrets(orm)) ? await readOtherKeys(orm, keyArn) : []),
    async read(name) {
      if (!(await storesSealedSecrets(orm))) return undefined;
      const found = await readSealedSecret(orm, { keyArn, name });
      return found && known.open(found);
    },
    async create(name, secret) {
      await insertSealedSecret(orm, await known.seal(name, secret));
      // A secret that another server created first counts.
      const kept = await readSealedSecret(orm, { keyArn, name });
      if (kept === undefined) throw new Error(`${placeOf(name)} was removed during its creation`);
      return known.open(kept);
    },
    async replace(name, secret) {
      await replaceSealedSecret(orm, await known.seal(name, secret));
    },
    remove: (name) => removeSealedSecret(orm, { keyArn, name }),
  };
}

/** The replicas of a multi-Region key open what the others sealed: their values are stored as those of one key. */
const arnInAnyRegion = (arn: string): string =>
  arn.replace(/^(arn:[a-z-]+:kms):[a-z0-9-]+:(\d+:key\/mrk-)/, '$1:*:$2');

function remedyOf(others: readonly string[]): string {
  if (others.length === 0) return 'Restore the table sealed_secret from a backup.';
  const settings = others.map((arn) => `kms:${arn}`).join(' or ');
  return `The secrets in the database are sealed with another key: set DEVICEPORTAL_SECRETS to ${settings}.`;
}

/** Seals and opens secrets. KMS is called again only for a value that has changed. */
class KnownSecrets {
  readonly #deps: KmsSecretsDeps;
  readonly #opened = new Map<string, { readonly sealed: string; readonly plain: Buffer }>();

  constructor(deps: KmsSecretsDeps) {
    this.#deps = deps;
  }

  async seal(name: string, secret: Uint8Array): Promise<SealedSecret> {
    const { keys, keyArn } = this.#deps;
    const place = await this.#placeOf(name);
    const { plain, sealed } = await keys
      .generate(place)
      .catch((error: unknown) => this.#refuse(name, error));
    const value = sealBytes(plain, name, secret);
    plain.fill(0);
    const dataKey = Buffer.from(sealed).toString('base64');
    return { keyArn: arnInAnyRegion(keyArn), name, dataKey, sealed: value };
  }

  async open({ name, dataKey, sealed }: SealedSecret): Promise<Buffer> {
    const before = this.#opened.get(name);
    if (before?.sealed === sealed) return before.plain;
    const place = { ...(await this.#placeOf(name)), sealed: Buffer.from(dataKey, 'base64') };
    const key = await this.#deps.keys
      .open(place)
      .catch((error: unknown) => this.#refuse(name, error));
    const plain = openSealed(key, { name, sealed });
    this.#opened.set(name, { sealed, plain });
    return plain;
  }

  async #placeOf(name: string): Promise<DataKeyPlace> {
    const { database, keyArn } = this.#deps;
    const installation = await freezeSetting(database, 'installation-id', randomUUID());
    return { keyArn, context: { application: 'device-portal', installation, secret: name } };
  }

  #refuse(name: string, error: unknown): never {
    throw new StartError(
      `KMS did not open ${name} with ${this.#deps.keyArn} (DEVICEPORTAL_SECRETS): ${answerOf(error)}`,
      { cause: error },
    );
  }
}

function openSealed(
  key: Uint8Array,
  { name, sealed }: Pick<SealedSecret, 'name' | 'sealed'>,
): Buffer {
  try {
    return openBytes(key, name, sealed);
  } catch (error) {
    throw new StartError(`The sealed secret ${name} in the database was changed.`, {
      cause: error,
    });
  } finally {
    key.fill(0);
  }
}
