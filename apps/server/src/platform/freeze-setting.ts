import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import { readSetting } from './keep-setting.ts';
import { setting } from './platform-tables.ts';
import { StartError } from './process/start-error.ts';

/**
 * Stores the first value that any server of this installation proposes, and returns that value from
 * then on.
 */
export async function freezeSetting<Value>(
  database: Pick<Database, 'orm'>,
  name: string,
  proposal: Value,
): Promise<Value> {
  await database.orm.insert(setting).values({ key: name, value: proposal }).onConflictDoNothing();
  return ((await readSetting(database.orm, name)) ?? proposal) as Value;
}

/**
 * The public URL is part of the token issuer and of certificates, so it cannot change after the
 * first start. A later start on another port keeps it.
 *
 * @throws StartError if the configured URL differs
 */
export async function freezePublicUrl(
  database: Pick<Database, 'orm'>,
  config: Pick<Config, 'publicUrl' | 'port'>,
): Promise<string> {
  const proposal = config.publicUrl ?? `http://localhost:${config.port}`;
  const frozen = await freezeSetting(database, 'public-url', proposal);
  if (config.publicUrl !== undefined && config.publicUrl !== frozen) {
    throw new StartError(
      `--public-url (DEVICEPORTAL_PUBLIC_URL) is ${config.publicUrl}, but the first start used ${frozen}, ` +
        'which is part of tokens and certificates. Use that URL, or start with an empty data folder.',
    );
  }
  return frozen;
}
