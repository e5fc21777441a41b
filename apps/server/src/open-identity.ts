import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '@deviceportal/identity-service/identity-service';
import type { Config } from './platform/config/config.ts';
import type { Database } from './platform/database/database.ts';

export interface OpenIdentityOptions extends Pick<
  IdentityServiceOptions,
  'messenger' | 'record' | 'onInternalError'
> {
  readonly config: Pick<
    Config,
    'region' | 'sessionDurationMinutes' | 'signInLimits' | 'production'
  >;
  /** Frozen at the first start: the issuer is made from it. */
  readonly publicUrl: string;
  readonly database: Pick<Database, 'pool'>;
}

/** The embedded user pool and identity pool, as the configuration wants them. */
export async function openIdentity(options: OpenIdentityOptions): Promise<IdentityService> {
  const { config, publicUrl, database, ...rest } = options;
  const userPoolId = `${config.region}_DevicePortal`;
  return createIdentityService({
    ...rest,
    pool: database.pool,
    settings: {
      issuer: `${publicUrl}/identity/${userPoolId}`,
      region: config.region,
      userPoolId,
      sessionDurationMinutes: config.sessionDurationMinutes,
      limits: config.signInLimits ? 'on' : 'off',
      // Production does not tell strangers which users exist.
      userExistenceErrors: config.production ? 'ENABLED' : 'LEGACY',
    },
  });
}
