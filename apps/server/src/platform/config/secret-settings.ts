import { parseSecretsPlace, SECRETS_PLACES, type SecretsPlace } from './secrets-place.ts';
import { integer, optionalUrl, type Setting } from './setting.ts';

const group = 'Secrets';

const secretsPlace: Setting<SecretsPlace> = {
  env: 'DEVICEPORTAL_SECRETS',
  group,
  type: SECRETS_PLACES,
  description:
    'Where the secrets of the installation are stored: files in the data folder, AWS Secrets Manager, or the database, sealed with a key of AWS KMS. Must be the same on all servers. `npm run admin -- copy-secrets` copies them.',
  default: { kind: 'file' },
  defaultText: 'file',
  parse: parseSecretsPlace,
};

function maxAge(
  env: string,
  what: string,
  range: { max: number; default: number },
): Setting<number> {
  return integer(
    {
      env: `DEVICEPORTAL_${env}_MAX_AGE_DAYS`,
      group,
      description: `Age in days at which a job rotates ${what}. With 0, only \`npm run admin -- rotate\` rotates it.`,
    },
    { min: 0, ...range },
  );
}

/** Place and rotation of the secrets of the installation. */
export const secretSettings = {
  secrets: secretsPlace,
  secretsEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_SECRETS_ENDPOINT',
      group,
      description:
        'URL of Secrets Manager or KMS for `DEVICEPORTAL_SECRETS`, such as a VPC endpoint. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  installationKeyMaxAgeDays: maxAge(
    'INSTALLATION_KEY',
    'the installation key and re-encrypts all data sealed with it',
    { max: 3_650, default: 365 },
  ),
  deviceAuthorityMaxAgeDays: maxAge(
    'DEVICE_AUTHORITY',
    'the certificate authority of device certificates (valid for ten years)',
    { max: 3_285, default: 1_095 },
  ),
  auditKeyMaxAgeDays: maxAge('AUDIT_KEY', 'the signing key of the audit trail', {
    max: 3_650,
    default: 365,
  }),
};
