import { fetchAuthSession } from '@aws-amplify/core';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { regionOfPool } from '../session/credentials/require-region.ts';
import { loadConfig } from '../session/load-config.ts';
import type { ConnectionTarget } from './mqtt-connection.ts';
import { signMqttUrl } from './sign-mqtt-url.ts';

/** Where the credentials' end is not known, the signed URL's own life counts. */
const UNKNOWN_LIFE_MS = 3_600_000;

/**
 * A signed URL and this person's topics. The secret key stays in this tab.
 * @returns null where the person is not (or no longer) the one whose `sub` is given
 */
export async function makeLiveTarget(sub: string): Promise<ConnectionTarget | null> {
  const [config, { credentials, identityId, userSub }] = await Promise.all([
    loadConfig(),
    fetchAuthSession(),
  ]);
  const { livePath, identityPoolId } = config;
  if (livePath === null || identityPoolId === null || userSub !== sub) return null;
  if (credentials?.sessionToken === undefined || identityId === undefined) return null;
  return {
    url: signMqttUrl({
      credentials: { ...credentials, sessionToken: credentials.sessionToken },
      // The pool's, which need not be the one where people sign in.
      region: regionOfPool(identityPoolId),
      host: location.host,
      path: livePath,
      secure: location.protocol === 'https:',
      nowMs: Date.now(),
    }),
    clientId: `${identityId}.${Math.random().toString(36).slice(2, 12)}`,
    subscribeTo: liveTopic(identityId),
    publishTo: watchTopic(identityId),
    endsAtMs: credentials.expiration?.getTime() ?? Date.now() + UNKNOWN_LIFE_MS,
  };
}
