import type { AuditSigner } from '../audit-trail/audit-signer.ts';
import type { ContactLog } from '../data-sources/contact-log.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { ParameterPort } from '../platform/parameters/parameter-port.ts';
import type { Platform } from '../platform/platform.ts';
import type { StartError } from '../platform/process/start-error.ts';

/** Dependencies shared by the composition modules. */
export interface Composition {
  readonly platform: Platform;
  readonly clock: () => Date;
  readonly secrets: InstallationSecrets;
  readonly parameters: ParameterPort;
  readonly named: NamedSettings;
  readonly auditSigner: AuditSigner;
  /** Outcomes of calls to outside systems. */
  readonly contacts: ContactLog;
  /** Closes resources in reverse order, after the HTTP server has drained. */
  readonly resources: AsyncDisposableStack;
  /** Adds a line for the operator, printed after the start. */
  readonly announce: (line: string) => void;
  /** Prints a line for the operator immediately. */
  readonly print: (line: string) => void;
  /** Stops this server, for a reason that the operator can fix. */
  readonly fail: (reason: StartError) => void;
  /** URL of this server for programs on this machine. */
  readonly serverUrl: string;
}
