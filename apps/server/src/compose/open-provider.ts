import { join } from 'node:path';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
} from '@deviceportal/identity/provider';
import { TOKEN_LIFETIME_SECONDS } from '@deviceportal/contract/constants';
import { MissingPlugInError } from '@deviceportal/identity/plug-ins';
import { asMissingPackage } from './missing-package.ts';
import { asForeignInstallation } from './foreign-installation.ts';
import type { Config } from '../platform/config/config.ts';
import { transactionOn, type Database } from '../platform/database/database.ts';
import { isAccessGrantRunning } from '../access/data/access-grant-bonds.ts';
import { recordAdministration } from '../access/record-administration.ts';
import { writeIdentityEvent } from '../access/sign-in-recorder.ts';
import { loadConnections } from '../session/load-connections.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';

export interface OpenProviderOptions extends Pick<
  ProviderOptions,
  'messenger' | 'queueNotice' | 'record' | 'onInternalError'
> {
  readonly config: Pick<
    Config,
    | 'dataDir'
    | 'region'
    | 'signInLimits'
    | 'idpConnectionsFile'
    | 'idpSecondStep'
    | 'idpFace'
    | 'idpRealName'
    | 'idpPasswordLength'
    | 'production'
    | 'idpRegistrationDomains'
    | 'idpPhotoOrigins'
    | 'signIn'
  >;
  readonly named: Pick<NamedSettings, 'sessionDurationMinutes'>;
  readonly secrets: Pick<InstallationSecrets, 'keysFor' | 'idpApplicationSecret'>;
  /** Set permanently at the first start; part of the issuer. */
  readonly publicUrl: string;
  readonly database: Pick<Database, 'pool' | 'orm'>;
}

/** Path of the provider below the portal's URL. */
export const PROVIDER_PATH = '/idp';

/**
 * Opens the provider at `/idp` with its configuration.
 * @throws StartError if the database belongs to another installation
 */
export async function openProvider(options: OpenProviderOptions): Promise<Provider> {
  const { config, named, secrets, publicUrl, database, ...rest } = options;
  const connectionsFile = config.idpConnectionsFile;
  return createProvider({
    ...rest,
    writeAct: (client, act) => recordAdministration(transactionOn(client), act),
    writeEvent: (client, event) => writeIdentityEvent(transactionOn(client), event),
    isAccessGrantInForce: (id) => isAccessGrantRunning(database.orm, id),
    pool: database.pool,
    sealingKey: secrets.keysFor(keyPurposes.identity),
    sessionSeconds: () => named.sessionDurationMinutes * 60,
    settings: {
      baseUrl: `${publicUrl}${PROVIDER_PATH}`,
      userPoolId: `${config.region}_DevicePortal`,
      application: {
        id: 'deviceportal',
        secret: secrets.idpApplicationSecret,
        redirectUris: [`${publicUrl}/signin`, `${publicUrl}/`],
        logoutRedirectUris: [`${publicUrl}/`],
      },
      tokenSeconds: TOKEN_LIFETIME_SECONDS,
      dataDir: join(config.dataDir, 'idp'),
      connections: connectionsFile === undefined ? [] : await loadConnections(connectionsFile),
      secondStep: config.idpSecondStep,
      face: config.idpFace,
      realName: config.idpRealName,
      shortestPassword: config.idpPasswordLength,
      keyMaxAgeDays: config.signIn.signingKeyMaxAgeDays,
      registration: config.production ? 'off' : 'on',
      registrationDomains: [...config.idpRegistrationDomains],
      photoOrigins: [...config.idpPhotoOrigins],
      limits: config.signInLimits ? 'on' : 'off',
      hideUsers: config.signIn.hideUsers,
    },
  }).catch((error: unknown) => {
    if (error instanceof MissingPlugInError) throw asMissingPackage(error);
    throw asForeignInstallation(error, config.dataDir);
  });
}
