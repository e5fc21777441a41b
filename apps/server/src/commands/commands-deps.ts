import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { ParameterPort } from '../platform/parameters/parameter-port.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { ParameterVault } from './parameters/parameter-vault.ts';
import type { ResultsLink } from './answers/results-link.ts';
import type { RunSigning } from './signing/run-signing.ts';

/** What the use-cases of commands work with. */
export interface CommandsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  /** Encrypts secret parameters at rest. */
  readonly vault: ParameterVault;
  /** Signs each run for its devices. */
  readonly signing: RunSigning;
  /**
   * Publishes what the transaction of a new run has sent; not there on a server that serves no devices, whose runs
   * wait for another's dispatcher.
   */
  readonly sendNew?: ((runId: string) => void) | undefined;
  /** Where `{{ssm:name}}` comes from. */
  readonly parameters: ParameterPort;
  /** A signed link to a collected file for one person, valid for an hour. */
  readonly signArtifactUrl: (artifactId: string, holder: LinkHolder) => string;
  /** A signed link to the results of a run, likewise. */
  readonly signResultsUrl: (link: ResultsLink, holder: LinkHolder) => string;
}

/** What making a run works with. */
export type RunDeps = Omit<CommandsDeps, 'signArtifactUrl' | 'signResultsUrl'>;
