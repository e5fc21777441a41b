import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { regionOfPool } from '../session/credentials/require-region.ts';
import { loadConfig } from '../session/load-config.ts';
import { signInLibrary } from '../session/sign-in-library.ts';
import { liveCredentialsOf } from './live-credentials.ts';
import type { ConnectionTarget } from './mqtt-connection.ts';
import { signMqttUrl } from './sign-mqtt-url.ts';

/** Milliseconds. Used if the expiry of the credentials is unknown. */
const UNKNOWN_LIFE_MS = 3_600_000;

/**
 * A signed URL and the topics of the user. The secret key stays in this tab.
 * @returns Null if the signed-in user is not the one with the given `sub`.
 */
export async function makeLiveTarget(sub: string): Promise<ConnectionTarget | null> {
  const [config, session] = await Promise.all([
    loadConfig(),
    signInLibrary().then(({ fetchAuthSession }) => fetchAuthSession()),
  ]);
  const { livePath } = config;
  const livePoolId = config.livePoolId ?? config.identityPoolId;
  if (livePath === null || livePoolId === null || session.userSub !== sub) return null;
  const { credentials, identityId } = await liveCredentialsOf(session, config.livePoolId);
  if (credentials?.sessionToken === undefined || identityId === undefined) return null;
  return {
    url: signMqttUrl({
      credentials: { ...credentials, sessionToken: credentials.sessionToken },
      // The region of the pool, which can differ from the one for sign-in.
      region: regionOfPool(livePoolId),
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
