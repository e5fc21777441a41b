import type { Database } from '../../platform/database/database.ts';
import type { InstallationSecrets } from '../../platform/installation-secrets.ts';
import type { CommandContext } from '../../platform/process/run-command.ts';
import type { RotationOutcome } from '../../installation/rotation-deps.ts';

export interface RotationContext {
  readonly command: CommandContext;
  readonly database: Database;
  readonly secrets: InstallationSecrets;
  /** Removes the previous secret immediately. */
  readonly now: boolean;
  /** Confirms that an external broker accepts the new certificate authorities. */
  readonly brokerReady: boolean;
}

/** Implementation of `npm run admin -- rotate NAME`. */
export type Rotation = (context: RotationContext) => Promise<RotationOutcome>;
