import { resealKeys } from '@deviceportal/identity/reseal-keys';
import { sealedDestinations } from '../alerts/destinations/sealed-destinations.ts';
import { createTextVault } from '../commands/output/text-vault.ts';
import { sealedPlans } from '../air-blast/plan/sealed-plans.ts';
import { createParameterVault } from '../commands/parameters/parameter-vault.ts';
import { sealedCommands } from '../commands/parameters/sealed-commands.ts';
import { sealedImports } from '../imports/sealed-imports.ts';
import { createMessageSeal } from '../messages/message-seal.ts';
import { sealedMessages } from '../messages/sealed-messages.ts';
import { createKeySeal } from '../personal-data/keys/key-seal.ts';
import { sealedPersonKeys } from '../personal-data/keys/sealed-person-keys.ts';
import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import { sealedTickets } from '../tickets/sealed-tickets.ts';
import { sealedWebhooks } from '../webhooks/sealed-webhook.ts';
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
    ...sealedDestinations(database, createTextVault(secrets.keysFor(keyPurposes.alerts))),
    ...sealedWebhooks(database, createTextVault(secrets.keysFor(keyPurposes.alerts))),
    ...sealedImports(database, createTextVault(secrets.keysFor(keyPurposes.imports))),
    ...sealedMessages(database, seal),
    ...sealedTickets(database, createTextVault(secrets.keysFor(keyPurposes.tickets))),
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
