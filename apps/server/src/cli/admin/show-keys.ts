import type { InstallationSecrets as SecretsView } from '@deviceportal/contract/installation';
import { rawPublicKey } from '../../audit-trail/audit-signer.ts';
import { identityMigrations } from '../../compose/identity-migrations.ts';
import { describeSecrets } from '../../installation/describe-secrets.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import type { AdminWork } from './admin-work.ts';

/** Shows the fingerprints of all secrets, and the public keys to store outside the installation. */
export const showKeys: AdminWork = {
  usage: '',
  words: [0],
  async run({ config, logger, resources }) {
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const secrets = await openOwnSecrets({ database, config });
    const found = await describeSecrets({
      ...{ database, secrets, place: config.secrets.place },
      maxAgeDays: config.secretMaxAgeDays,
    });
    const { known } = secrets.signingKeys('audit');
    const pins = known.map(({ publicKey }) => rawPublicKey(publicKey).toString('base64url'));
    return [
      ...secretLines(found),
      '',
      'Public keys of the audit trail, newest first. Store them outside this installation:',
      pins.join(','),
    ].join('\n');
  },
};

function secretLines({ secrets, servers }: SecretsView): string[] {
  return [
    ...secrets.flatMap(({ name, fingerprint, since, next, earlier }) => [
      `${name.padEnd(17)} ${fingerprint}  since ${since.slice(0, 10)}`,
      ...(next === null ? [] : [`${'  next'.padEnd(17)} ${next}`]),
      ...earlier.map((each) => `${'  earlier'.padEnd(17)} ${each}`),
    ]),
    ...servers
      .filter(({ behind }) => behind.length > 0)
      .map(({ name, behind }) => `${name} has different secrets: ${behind.join(', ')}.`),
  ];
}
