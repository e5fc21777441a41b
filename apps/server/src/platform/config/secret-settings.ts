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
      description: `After so many days a job replaces ${what}. 0: only \`npm run admin -- rotate\` does.`,
    },
    { min: 0, ...range },
  );
}

/** How long the secrets outside the database are used. */
export const secretSettings = {
  installationKeyMaxAgeDays: maxAge(
    'INSTALLATION_KEY',
    'the installation key and seals anew what it has sealed',
    { max: 3_650, default: 365 },
  ),
  deviceAuthorityMaxAgeDays: maxAge(
    'DEVICE_AUTHORITY',
    'the authority behind device certificates (itself valid for ten years)',
    { max: 3_285, default: 1_095 },
  ),
  auditKeyMaxAgeDays: maxAge('AUDIT_KEY', 'the key that seals the audit trail', {
    max: 3_650,
    default: 365,
  }),
};
