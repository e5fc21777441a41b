import { integer, type Setting } from './setting.ts';

function maxAge(
  env: string,
  what: string,
  range: { max: number; default: number },
): Setting<number> {
  return integer(
    {
      env: `DEVICEPORTAL_${env}_MAX_AGE_DAYS`,
      group: 'Secrets',
      description: `Age in days at which a job rotates ${what}. With 0, only \`npm run admin -- rotate\` rotates it.`,
    },
    { min: 0, ...range },
  );
}

/** Rotation of the secrets outside the database. */
export const secretSettings = {
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
