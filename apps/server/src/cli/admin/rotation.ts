import type { Database } from '../../platform/database/database.ts';
import type { InstallationSecrets } from '../../platform/installation-secrets.ts';
import type { CommandContext } from '../../platform/process/run-command.ts';
import type { RotationOutcome } from '../../installation/rotation-deps.ts';

export interface RotationContext {
  readonly command: CommandContext;
  readonly database: Database;
  readonly secrets: InstallationSecrets;
  /** Ends what overlaps at once: what came before is accepted no more. */
  readonly now: boolean;
  /** A broker of the operator's accepts what it was asked to accept. */
  readonly brokerReady: boolean;
}

/** What `npm run admin -- rotate NAME` does. */
export type Rotation = (context: RotationContext) => Promise<RotationOutcome>;
