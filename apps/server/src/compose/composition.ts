import type { AuditSigner } from '../audit-trail/audit-signer.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { Platform } from '../platform/platform.ts';

/** What the parts share while the server is put together. */
export interface Composition {
  readonly platform: Platform;
  readonly clock: () => Date;
  readonly secrets: InstallationSecrets;
  readonly auditSigner: AuditSigner;
  /** Closes what a part opens, in reverse order; after the HTTP server has drained. */
  readonly resources: AsyncDisposableStack;
  /** A line for the operator, once everything is up. */
  readonly announce: (line: string) => void;
  /** A line for the operator, now. */
  readonly print: (line: string) => void;
  /** Where this server answers for programs on this machine. */
  readonly serverUrl: string;
}
