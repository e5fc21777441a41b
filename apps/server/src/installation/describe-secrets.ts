import {
  secretNames,
  type InstallationSecrets as SecretsView,
  type SecretName,
} from '@deviceportal/contract/installation';
import type { SecretsPlace } from '../platform/config/secrets-place.ts';
import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { describeSecretsPlace } from './describe-secrets-place.ts';
import { SERVER_SILENT_SECONDS } from './await-servers.ts';
import {
  readRecordedSecrets,
  readServers,
  type RecordedSecret,
  type SeenServer,
} from './data/installation-queries.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

export interface DescribeSecretsDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly secrets: InstallationSecrets;
  readonly place: SecretsPlace;
  /** Days after which a job rotates each secret; absent for secrets that are rotated only by an operator. */
  readonly maxAgeDays: Readonly<Partial<Record<SecretName, number>>>;
}

/** Lists the secrets of this installation by their fingerprints, and the servers that use them. */
export async function describeSecrets({
  database,
  secrets,
  place,
  maxAgeDays,
}: DescribeSecretsDeps): Promise<SecretsView> {
  const present = await secretFingerprints(secrets);
  const recorded = await readRecordedSecrets(database.orm);
  const servers = await readServers(database.orm, SERVER_SILENT_SECONDS);
  return {
    place: describeSecretsPlace(place),
    secrets: recorded
      .toSorted((a, b) => secretNames.indexOf(a.name) - secretNames.indexOf(b.name))
      .map(({ name, fingerprint, since }) => {
        const own = present.find((secret) => secret.name === name);
        return {
          ...{ name, fingerprint },
          since: since.toISOString(),
          next: own?.next ?? null,
          earlier: own?.earlier ?? [],
          maxAgeDays: maxAgeDays[name] || null,
        };
      }),
    servers: servers.map((server) => ({
      name: server.name,
      startedAt: server.startedAt.toISOString(),
      seenAt: server.seenAt.toISOString(),
      behind: behindOf(server, recorded),
    })),
  };
}

function behindOf({ secrets }: SeenServer, recorded: readonly RecordedSecret[]): SecretName[] {
  return secrets
    .filter(({ name, current }) => {
      const known = recorded.find((secret) => secret.name === name);
      return known !== undefined && known.fingerprint !== current;
    })
    .map(({ name }) => name);
}
