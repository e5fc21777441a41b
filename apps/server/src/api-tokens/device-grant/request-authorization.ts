import { addressBucket } from '@deviceportal/contract/address-bucket';
import { ACTIVATION_PATH, DEVICE_GRANT } from '@deviceportal/contract/device-grant';
import { newId } from '@deviceportal/contract/ids';
import type { Permission } from '@deviceportal/contract/permissions';
import { inTransaction } from '../../platform/database/database.ts';
import {
  countPending,
  insertAuthorization,
  lockAuthorizationLimits,
} from '../data/device-authorization-queries.ts';
import { hashOfDeviceCode, newDeviceCode, newUserCode } from './device-code.ts';
import type { DeviceGrantDeps } from './device-grant-deps.ts';
import { OAuthError } from './oauth-error.ts';

/** RFC 8628, section 3.2. */
export interface AuthorizationResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly permissions: readonly Permission[];
  readonly address: string;
}

const { mostPending, validSeconds, intervalSeconds } = DEVICE_GRANT;
const MOST_TRIES = 5;

/**
 * Starts the sign-in of an application, which a user approves by the code. The caller is not known, so nothing is recorded
 * in the audit trail.
 * @throws OAuthError for too many that wait
 */
export async function requestAuthorization(
  { database, publicUrl }: Pick<DeviceGrantDeps, 'database' | 'publicUrl'>,
  { clientId, permissions, address }: AuthorizationRequest,
): Promise<AuthorizationResponse> {
  const bucket = addressBucket(address);
  const deviceCode = newDeviceCode();
  const userCode = await inTransaction(database, async (tx) => {
    await lockAuthorizationLimits(tx);
    const { ofAll, ofAddress } = await countPending(tx, bucket);
    if (ofAddress >= mostPending.ofAddress || ofAll >= mostPending.ofAll) throw tooManyPending();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const made = newUserCode();
      const isNew = await insertAuthorization(tx, {
        ...{ id: newId(), userCode: made, clientId, address, addressBucket: bucket },
        deviceCodeHash: hashOfDeviceCode(deviceCode) ?? '',
        requestedPermissions: permissions,
        ...{ validSeconds, intervalSeconds },
      });
      if (isNew) return made;
    }
    throw tooManyPending();
  });
  const verificationUri = `${publicUrl}${ACTIVATION_PATH}`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: `${verificationUri}?user_code=${userCode}`,
    expires_in: validSeconds,
    interval: intervalSeconds,
  };
}

const tooManyPending = (): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many sign-ins are waiting. Try again later.', {
    status: 429,
  });
