import type { AwsOptions, SecretsManager } from '../aws/aws-package.ts';
import { answerOf } from '../aws/answer-of.ts';
import { loadAws } from '../aws/load-aws.ts';
import { StartError } from '../process/start-error.ts';
import type { SecretEngine } from './secret-engine.ts';

export interface SecretsManagerPlace {
  /** Beginning of the names, without a slash at its end. */
  readonly prefix: string;
  /** Beginning of the ARNs, up to the prefix; undefined: secrets of the server's own account. */
  readonly arn: string | undefined;
}

/** Calls cost money; a rotation waits longer than this. */
const REFRESH_MS = 30_000;

/**
 * One secret of Secrets Manager for each secret of the installation.
 *
 * @throws StartError if the package of its client is not installed
 */
export async function openSecretsManagerSecrets(
  options: AwsOptions,
  place: SecretsManagerPlace,
): Promise<SecretEngine> {
  const { createSecretsManager } = await loadAws('secrets-manager', 'DEVICEPORTAL_SECRETS');
  return createEngine(createSecretsManager(options), place);
}

/** Each call throws a StartError that contains the answer of AWS. */
function createEngine(secrets: SecretsManager, { prefix, arn }: SecretsManagerPlace): SecretEngine {
  const nameOf = (name: string): string => `${prefix}/${name}`;
  const idOf = (name: string): string => `${arn ?? prefix}/${name}`;
  const placeOf = (name: string): string => `secretsmanager:${idOf(name)}`;
  const call = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new StartError(`${placeOf(name)} is not available: ${answerOf(error)}`, {
        cause: error,
      });
    }
  };
  const read = async (name: string): Promise<Buffer | undefined> => {
    const found = await call(name, () => secrets.read(idOf(name)));
    return found && Buffer.from(found);
  };
  const create = async (name: string, value: Uint8Array): Promise<Buffer> => {
    const description = `Device Portal: ${name}`;
    await call(name, () => secrets.create({ name: nameOf(name), description, value }));
    // A secret that another server created first counts.
    const kept = await read(name);
    if (kept !== undefined) return kept;
    throw new StartError(
      `${placeOf(name)} cannot be read after its creation. An ARN in DEVICEPORTAL_SECRETS must be of the account and the region in which the server creates secrets.`,
    );
  };
  return {
    placeOf,
    read,
    create,
    remedy:
      'Check the prefix in DEVICEPORTAL_SECRETS, or restore the secret with "aws secretsmanager restore-secret".',
    refreshMs: REFRESH_MS,
    async replace(name, value) {
      const isReplaced = await call(name, () => secrets.replace(idOf(name), value));
      if (!isReplaced) await create(name, value);
    },
    remove: (name) => call(name, () => secrets.remove(idOf(name))),
  };
}
