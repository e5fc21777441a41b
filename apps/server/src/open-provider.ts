import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
} from '@deviceportal/identity-service/provider';
import { TOKEN_LIFETIME_SECONDS } from '@deviceportal/contract/constants';
import { asForeignInstallation } from './foreign-installation.ts';
import type { Config } from './platform/config/config.ts';
import { transactionOn, type Database } from './platform/database/database.ts';
import { recordAdministration } from './access/record-administration.ts';
import { writeIdentityEvent } from './access/sign-in-recorder.ts';
import { loadConnections } from './session/load-connections.ts';
import { readInstallationKey } from './platform/installation-key.ts';

export interface OpenProviderOptions extends Pick<
  ProviderOptions,
  'messenger' | 'record' | 'onInternalError'
> {
  readonly config: Pick<
    Config,
    | 'dataDir'
    | 'region'
    | 'sessionDurationMinutes'
    | 'signInLimits'
    | 'idpConnectionsFile'
    | 'idpSecondStep'
    | 'idpPhotoOrigins'
    | 'signIn'
  >;
  /** Frozen at the first start: the issuer is made from it. */
  readonly publicUrl: string;
  readonly database: Pick<Database, 'pool'>;
}

/** Where the provider answers, below the portal's own address. */
export const PROVIDER_PATH = '/idp';

const SECRET_BYTES = 32;

/**
 * The provider side of the contract at `/idp`, as the configuration wants it.
 * @throws StartError when the database belongs to another installation
 */
export async function openProvider(options: OpenProviderOptions): Promise<Provider> {
  const { config, publicUrl, database, ...rest } = options;
  const key = await readInstallationKey(config.dataDir);
  const connectionsFile = config.idpConnectionsFile;
  const sessionSeconds = config.sessionDurationMinutes * 60;
  return createProvider({
    ...rest,
    writeAct: (client, act) => recordAdministration(transactionOn(client), act),
    writeEvent: (client, event) => writeIdentityEvent(transactionOn(client), event),
    pool: database.pool,
    sealingKey: key.derive('identity service keys'),
    settings: {
      baseUrl: `${publicUrl}${PROVIDER_PATH}`,
      userPoolId: `${config.region}_DevicePortal`,
      application: {
        id: 'deviceportal',
        secret: await readApplicationSecret(config.dataDir),
        redirectUris: [`${publicUrl}/signin`, `${publicUrl}/`],
        logoutRedirectUris: [`${publicUrl}/`],
      },
      sessionSeconds,
      tokenSeconds: Math.min(TOKEN_LIFETIME_SECONDS, sessionSeconds),
      dataDir: join(config.dataDir, 'idp'),
      connections: connectionsFile === undefined ? [] : await loadConnections(connectionsFile),
      secondStep: config.idpSecondStep,
      keyMaxAgeDays: config.signIn.signingKeyMaxAgeDays,
      photoOrigins: [...config.idpPhotoOrigins],
      limits: config.signInLimits ? 'on' : 'off',
    },
  }).catch((error: unknown) => {
    throw asForeignInstallation(error, config.dataDir);
  });
}

/** The secret of the application that is there from the first start: made then, readable by its owner only. */
async function readApplicationSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'keys', 'idp-application.secret');
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  const made = `${randomBytes(SECRET_BYTES).toString('base64url')}\n`;
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    // It is there, or another server of the same installation was quicker.
    if (error.code !== 'EEXIST') throw error;
  });
  return (await readFile(file, 'utf8')).trim();
}
