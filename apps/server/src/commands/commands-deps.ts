import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { ParameterPort } from '../platform/parameters/parameter-port.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { ParameterVault } from './parameters/parameter-vault.ts';
import type { ResultsLink } from './answers/results-link.ts';
import type { RunSigning } from './signing/run-signing.ts';

/** Dependencies of the use-cases of commands. */
export interface CommandsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  /** Encrypts secret parameters at rest. */
  readonly vault: ParameterVault;
  /** Signs each run for its devices. */
  readonly signing: RunSigning;
  /**
   * Publishes the messages that the transaction of a new run has claimed. Undefined on a server without devices, whose
   * runs are sent by another server's dispatcher.
   */
  readonly sendNew?: ((runId: string) => void) | undefined;
  /** Source of `{{ssm:name}}` values. */
  readonly parameters: ParameterPort;
  /** A signed link to a collected file for one user, valid for an hour. */
  readonly signArtifactUrl: (artifactId: string, holder: LinkHolder) => string;
  /** A signed link to the results of a run for one user, valid for an hour. */
  readonly signResultsUrl: (link: ResultsLink, holder: LinkHolder) => string;
}

/** Dependencies of creating runs. */
export type RunDeps = Omit<CommandsDeps, 'signArtifactUrl' | 'signResultsUrl'>;
