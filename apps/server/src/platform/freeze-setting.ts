import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import { readSetting } from './keep-setting.ts';
import { setting } from './platform-tables.ts';
import { StartError } from './process/start-error.ts';

/** Keeps the first value that any server of this installation proposes, and answers it ever after. */
async function freezeSetting<Value>(
  database: Pick<Database, 'orm'>,
  name: string,
  proposal: Value,
): Promise<Value> {
  await database.orm.insert(setting).values({ key: name, value: proposal }).onConflictDoNothing();
  return ((await readSetting(database.orm, name)) ?? proposal) as Value;
}

/**
 * The public URL is part of the token issuer and of certificates, so it never changes after the first start.
 * A later start on another port keeps it.
 *
 * @throws StartError when the operator now asks for another one
 */
export async function freezePublicUrl(
  database: Pick<Database, 'orm'>,
  config: Pick<Config, 'publicUrl' | 'port'>,
): Promise<string> {
  const proposal = config.publicUrl ?? `http://localhost:${config.port}`;
  const frozen = await freezeSetting(database, 'public-url', proposal);
  if (config.publicUrl !== undefined && config.publicUrl !== frozen) {
    throw new StartError(
      `--public-url (DEVICEPORTAL_PUBLIC_URL) is ${config.publicUrl}, but this data was first started with ${frozen}, ` +
        'and tokens and certificates carry it. Use that one, or start with new data.',
    );
  }
  return frozen;
}
