import type { Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';

/** What every rotation of a secret works with. */
export interface RotationDeps {
  readonly database: Pick<Database, 'orm' | 'pool'>;
  readonly secrets: InstallationSecrets;
  readonly clock: () => Date;
  /** How long to wait for servers that do not have a new secret yet. */
  readonly waitMs: number;
}

/** How far a rotation has come. */
export type RotationOutcome =
  /** Nothing is left to do. */
  | { readonly kind: 'done'; readonly lines: readonly string[] }
  /** It goes on by itself: what came before is still accepted. */
  | { readonly kind: 'overlaps'; readonly until: Date; readonly lines: readonly string[] }
  /** A person has to do this first, and to run the command again with `--broker-ready`. */
  | { readonly kind: 'asks'; readonly request: string }
  /** It goes on by itself when this is no more. */
  | { readonly kind: 'pends'; readonly reason: string }
  /** These servers have to get the file first. */
  | { readonly kind: 'waits'; readonly servers: readonly string[]; readonly file: string };
