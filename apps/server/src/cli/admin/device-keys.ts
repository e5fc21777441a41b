import { identityMigrations } from '../../compose/identity-migrations.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import type { CommandContext } from '../../platform/process/run-command.ts';
import { rotatedRings, type RingChange } from '../../signing-keys/change-ring.ts';
import {
  announceNextKey,
  listKeys,
  useNextKey,
  withdrawOneKey,
} from '../../signing-keys/operate-ring.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

const RINGS = rotatedRings.join('|');

/**
 * Commands for the keys that devices trust, which sign runs and agent updates. Running servers read
 * a changed ring within a minute.
 */
export const deviceKeyWorks: Readonly<Record<string, AdminWork>> = {
  'rotate-device-keys': {
    usage: `${RINGS} [now]`,
    words: [1, 2],
    async run(context, [name = '', how]) {
      if (how !== undefined && how !== 'now')
        throw new StartError('Usage: npm run admin -- rotate-device-keys runs|releases [now]');
      const change = await openRing(context, name);
      return how === undefined ? announceNextKey(change) : useNextKey(change);
    },
  },
  'withdraw-device-key': {
    usage: `${RINGS} KEY_ID`,
    words: [2],
    run: async (context, [name = '', keyId = '']) =>
      withdrawOneKey(await openRing(context, name), keyId),
  },
  'list-device-keys': {
    usage: RINGS,
    words: [1],
    run: async (context, [name = '']) => listKeys(await openRing(context, name)),
  },
};

async function openRing(
  { config, logger, resources }: CommandContext,
  wanted: string,
): Promise<RingChange> {
  const name = rotatedRings.find((ring) => ring === wanted);
  if (name === undefined)
    throw new StartError(`Unknown key ring "${wanted}". Use one of: ${RINGS}.`);
  const { database } = await openMigrated(resources, config, {
    logger,
    migrations: identityMigrations,
    exclusive: false,
  });
  const secrets = await openOwnSecrets({ database, config });
  return { database, name, ring: secrets.signingKeys(name), now: new Date() };
}
