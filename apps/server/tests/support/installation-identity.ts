import type { IdentityService } from '@deviceportal/identity/identity-service';
import { openIdentity } from '../../src/compose/open-identity.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { InstallationSecrets } from '../../src/platform/installation-secrets.ts';

/** The identity service of an installation. */
export function openInstallationIdentity({
  database,
  dataDir,
  secrets,
}: {
  readonly database: Database;
  readonly dataDir: string;
  readonly secrets: InstallationSecrets;
}): Promise<IdentityService> {
  return openIdentity({
    config: {
      dataDir,
      region: 'us-east-1',
      signInLimits: false,
      signIn: {
        refreshTokenRotation: false,
        refreshTokenGraceSeconds: 0,
        signingKeyMaxAgeDays: 90,
        administratorPasskeys: false,
        hideUsers: false,
        guests: true,
        serverSideTokenCheck: true,
        stepUpCodes: 'fallback',
        triggersFile: undefined,
      },
    },
    named: { sessionDurationMinutes: 720 },
    publicUrl: 'http://localhost:8080',
    secrets,
    database,
    messenger: { send: async () => {} },
  });
}
