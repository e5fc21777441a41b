import { presignUrl } from '@aws-amplify/core/internals/aws-client-utils';
import {
  SIGNED_URL_DEFAULT_SECONDS,
  SIGNED_URL_MAX_SECONDS,
} from '@deviceportal/contract/constants';
import { requireRegion } from '../session/credentials/require-region.ts';

export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface SignMqttUrlInput {
  readonly credentials: SigningCredentials;
  readonly region: string;
  /** Includes the port. */
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
  readonly nowMs: number;
  readonly lifetimeSeconds?: number;
}

/**
 * A WebSocket URL signed with Signature Version 4 (query parameters). The session token is appended
 * after signing, as AWS IoT requires.
 *
 * @throws RangeError for a lifetime beyond one week, TypeError for a region that is not valid in a
 * host name.
 */
export function signMqttUrl(input: SignMqttUrlInput): string {
  const { accessKeyId, secretAccessKey, sessionToken } = input.credentials;
  const expiration = input.lifetimeSeconds ?? SIGNED_URL_DEFAULT_SECONDS;
  if (expiration > SIGNED_URL_MAX_SECONDS) {
    throw new RangeError(`A signed URL can be valid for at most ${SIGNED_URL_MAX_SECONDS} s.`);
  }
  const url = presignUrl(
    { url: new URL(`${input.secure ? 'wss' : 'ws'}://${input.host}${input.path}`) },
    {
      credentials: { accessKeyId, secretAccessKey },
      signingDate: new Date(input.nowMs),
      signingRegion: requireRegion(input.region),
      signingService: 'iotdevicegateway',
      expiration,
    },
  );
  url.searchParams.append('X-Amz-Security-Token', sessionToken);
  return url.href;
}
