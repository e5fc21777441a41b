import type { CommandTarget } from '@deviceportal/contract/command-targets';
import { PortalError } from '@deviceportal/contract/errors';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { ParameterValue } from '@deviceportal/contract/ssm-document';
import { documentPlatforms } from '../documents/document-platforms.ts';
import type { Viewer } from '../platform/viewer.ts';
import { typicalDurationMs } from './data/command-definition-queries.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { targetSha256 } from './target/resolve-target.ts';
import { requireAllActive } from './catalog/require-active.ts';
import { resolveCommand, type ResolvedCommand } from './catalog/resolve-command.ts';
import type { GivenByStore } from './parameters/resolve-store-values.ts';
import { requireRight } from './run-command.ts';
import { storeOfCommand } from './catalog/store-of-command.ts';
import { targetQuery } from './target/target-query.ts';
import { selectTargetDevices, type TargetDevice } from './data/target-queries.ts';
import { validateParameters } from './parameters/validate-parameters.ts';

/** The effect of a command on a fixed set of devices, determined before anything is sent. */
export interface PreparedChange {
  readonly command: string;
  /** Command and documents in their current versions. */
  readonly resolved: ResolvedCommand;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly documentSha256: string;
  readonly consequence: Consequence;
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly secretParameters: readonly string[];
  /** Current parameter store values of its references. */
  readonly store: GivenByStore;
  readonly platforms: readonly string[];
  /** Sorted by ID. Devices with an exclusion are not targets. */
  readonly devices: readonly TargetDevice[];
  /** Of the target device IDs, one per line. */
  readonly targetSha256: string;
  /** Median duration (ms) of past invocations of the document. */
  readonly typicalDurationMs: number | null;
}

/**
 * Checks command, permission, document, parameters, and target like a run, without creating one.
 *
 * @throws PortalError 4002, 2003, 1000, 2004; 4001 if there is no target device; 4000 if the parameter store cannot be
 * read
 */
export async function prepareChange(
  { database, clock, parameters }: Pick<CommandsDeps, 'database' | 'clock' | 'parameters'>,
  viewer: Viewer,
  input: {
    readonly command: string;
    readonly document: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly target: CommandTarget;
  },
): Promise<PreparedChange> {
  const resolved = await resolveCommand(database.orm, input.command, input.document);
  requireRight(viewer, resolved);
  const { document } = resolved;
  await requireAllActive(database.orm, resolved);
  const values = validateParameters(document.parsed.parameters ?? {}, input.parameters);
  const query = await targetQuery(database.orm, viewer, {
    resolved,
    target: input.target,
    now: clock(),
  });
  const devices = await selectTargetDevices(database.orm, query);
  const reached = devices.filter(({ exclusion }) => exclusion === null);
  if (reached.length === 0) {
    throw new PortalError('commandHasNoDevice', { facts: { matched: devices.length } });
  }
  return {
    command: input.command,
    resolved,
    documentName: document.name,
    documentVersion: document.version,
    documentSha256: document.sha256,
    consequence: resolved.consequence,
    values,
    secretParameters: document.secretParameters,
    store: await storeOfCommand(parameters, resolved, { values }),
    platforms: documentPlatforms(document.parsed.mainSteps),
    devices,
    targetSha256: targetSha256(reached.map(({ deviceId }) => deviceId)),
    typicalDurationMs: await typicalDurationMs(database.orm, document.name),
  };
}
