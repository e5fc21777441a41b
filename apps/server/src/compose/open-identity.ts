import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '@deviceportal/identity/identity-service';
import { loadPermissions } from '../access/load-grants.ts';
import { recordAdministration } from '../access/record-administration.ts';
import { writeIdentityEvent } from '../access/sign-in-recorder.ts';
import { asForeignInstallation } from './foreign-installation.ts';
import type { Config } from '../platform/config/config.ts';
import { transactionOn, type Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import { loadSignInTriggers } from '../session/load-sign-in-triggers.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';

export interface OpenIdentityOptions extends Pick<
  IdentityServiceOptions,
  'messenger' | 'queueNotice' | 'record' | 'onInternalError' | 'outside'
> {
  readonly config: Pick<Config, 'dataDir' | 'region' | 'signInLimits' | 'signIn'>;
  readonly named: Pick<NamedSettings, 'sessionDurationMinutes'>;
  readonly secrets: Pick<InstallationSecrets, 'keysFor'>;
  /** Set permanently at the first start; part of the issuer. */
  readonly publicUrl: string;
  readonly database: Pick<Database, 'pool' | 'orm'>;
}

/**
 * Opens the embedded user pool and identity pool with their configuration.
 * @throws StartError if the database belongs to another installation, or the trigger module is not
 * valid
 */
export async function openIdentity(options: OpenIdentityOptions): Promise<IdentityService> {
  const { config, named, secrets, publicUrl, database, ...rest } = options;
  const userPoolId = `${config.region}_DevicePortal`;
  const { signIn } = config;
  const triggers = signIn.triggersFile && (await loadSignInTriggers(signIn.triggersFile));
  return createIdentityService({
    ...rest,
    ...(triggers && { triggers }),
    pool: database.pool,
    writeAct: (client, act) => recordAdministration(transactionOn(client), act),
    writeEvent: (client, event) => writeIdentityEvent(transactionOn(client), event),
    findPermissions: (person) => loadPermissions({ database }, person),
    sealingKey: secrets.keysFor(keyPurposes.identity),
    sessionDurationMinutes: () => named.sessionDurationMinutes,
    settings: {
      issuer: `${publicUrl}/identity/${userPoolId}`,
      region: config.region,
      userPoolId,
      limits: config.signInLimits ? 'on' : 'off',
      userExistenceErrors: signIn.hideUsers ? 'ENABLED' : 'LEGACY',
      guests: signIn.guests ? 'on' : 'off',
      serverSideTokenCheck: signIn.serverSideTokenCheck ? 'on' : 'off',
      refreshTokenRotation: signIn.refreshTokenRotation,
      refreshTokenGraceSeconds: signIn.refreshTokenGraceSeconds,
      keyMaxAgeDays: signIn.signingKeyMaxAgeDays,
    },
  }).catch((error: unknown) => {
    throw asForeignInstallation(error, config.dataDir);
  });
}
