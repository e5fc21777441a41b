import { resealKeys } from '@deviceportal/identity/reseal-keys';
import { sealedPlans } from '../air-blast/plan/sealed-plans.ts';
import { createParameterVault } from '../commands/parameters/parameter-vault.ts';
import { sealedCommands } from '../commands/parameters/sealed-commands.ts';
import { createMessageSeal } from '../messages/message-seal.ts';
import { sealedMessages } from '../messages/sealed-messages.ts';
import { createKeySeal } from '../personal-data/keys/key-seal.ts';
import { sealedPersonKeys } from '../personal-data/keys/sealed-person-keys.ts';
import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import type { SealedStore } from '../platform/secrets/sealed-column.ts';

/**
 * All data in the database that is sealed with a key of the installation, for re-encryption with a
 * new key.
 */
export function composeSealed({
  database,
  secrets,
}: {
  readonly database: Database;
  readonly secrets: Pick<InstallationSecrets, 'keysFor'>;
}): readonly SealedStore[] {
  const vault = createParameterVault(secrets.keysFor(keyPurposes.parameters));
  const seal = createMessageSeal(secrets.keysFor(keyPurposes.messages));
  return [
    ...sealedCommands({ database, vault }),
    ...sealedPlans({ database, vault }),
    ...sealedMessages(database, seal),
    ...sealedPersonKeys(database, createKeySeal(secrets.keysFor(keyPurposes.personalData))),
    {
      name: 'identity.*_key',
      async reseal() {
        const keys = secrets.keysFor(keyPurposes.identity);
        return { resealed: await resealKeys(database.pool, keys), unreadable: 0 };
      },
    },
  ];
}
