import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';

/** Dependencies of every rotation. */
export interface RotationDeps {
  readonly database: Pick<Database, 'orm' | 'pool'>;
  readonly secrets: InstallationSecrets;
  readonly clock: () => Date;
  /** How long to wait for servers that do not have a new secret yet. */
  readonly waitMs: number;
}

/** Progress of a rotation. */
export type RotationOutcome =
  /** Completed. */
  | { readonly kind: 'done'; readonly lines: readonly string[] }
  /** Continues automatically; the previous secret is still accepted. */
  | { readonly kind: 'overlaps'; readonly until: Date; readonly lines: readonly string[] }
  /** An operator must do this first, and run the command again with `--broker-ready`. */
  | { readonly kind: 'asks'; readonly request: string }
  /** Continues automatically when this condition has ended. */
  | { readonly kind: 'pends'; readonly reason: string }
  /** These servers need the file first. */
  | { readonly kind: 'waits'; readonly servers: readonly string[]; readonly file: string };
