/**
 * `aws:downloadContent`, `aws:configurePackage`, and `aws:updateAgent`: files and packages from a
 * URL.
 */

import { z } from 'zod';
import { readArtifactAddress } from '@deviceportal/contract/ssm-document';
import { reasonOf } from '../../logger.ts';
import type { StepResult } from '../run-document.ts';
import { failure, interrupted, success, type StepContext } from '../step-context.ts';

const sha256Schema = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((hash) => hash.toLowerCase());
const urlSchema = z.url({ protocol: /^https?$/ });
/** The file of a version stored in the portal, for which the command includes a link. */
const artifactSchema = z
  .string()
  .refine((text) => readArtifactAddress(text) !== null, 'not the URL of a portal file');

/** SSM writes some inputs as JSON text. */
const jsonOrObject = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }, shape);

const emptyIsAbsent = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional());

const downloadSchema = z.looseObject({
  sourceType: z.literal('HTTP', 'only HTTP sources are supported'),
  sourceInfo: jsonOrObject(
    z.looseObject({
      url: z.union([urlSchema, artifactSchema]),
      sha256: emptyIsAbsent(sha256Schema),
    }),
  ),
  sha256: emptyIsAbsent(sha256Schema),
  destinationPath: z.string().max(1_024).optional(),
});

export async function downloadContentStep(
  context: StepContext,
  inputs: unknown,
): Promise<StepResult> {
  const parsed = downloadSchema.safeParse(inputs);
  if (!parsed.success) return failure(`inputs: ${z.prettifyError(parsed.error)}`);
  const { sourceInfo, destinationPath } = parsed.data;
  const wanted = sourceInfo.url.startsWith('deviceportal:')
    ? readArtifactAddress(sourceInfo.url)
    : null;
  const offered = wanted === null ? null : offeredFor(context, wanted);
  if (wanted !== null && offered === null) return failure(notOffered(wanted));
  const url = offered?.url ?? sourceInfo.url;
  const destination = destinationPath || fileNameOf(url);
  return attempt(context, async () => {
    const bytes = await context.machine.download({
      invocationId: context.command.invocationId,
      url,
      sha256: parsed.data.sha256 ?? sourceInfo.sha256 ?? offered?.sha256 ?? null,
      destination,
      signal: context.signal,
    });
    return `downloaded ${bytes} bytes to ${destination}`;
  });
}

const packageSourceSchema = z.looseObject({
  source: emptyIsAbsent(urlSchema),
  sha256: emptyIsAbsent(sha256Schema),
});

/** Everything that runs on the device must have a known hash. */
const NO_HASH = 'inputs: a source requires its sha256';

const nameSchema = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$/);
/** A package folder contains these two links next to its versions. */
const LINK_NAMES: readonly string[] = ['current', 'previous'];
const versionSchema = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,63}$/)
  // File systems of macOS and Windows treat CURRENT as the same name.
  .refine((version) => !LINK_NAMES.includes(version.toLowerCase()), 'is not a version');

/**
 * SSM finds packages in its own registry. Here they come from `source`, directly or in
 * `additionalArguments`.
 */
const packageSchema = packageSourceSchema.extend({
  name: nameSchema,
  action: z.enum(['Install', 'Uninstall', 'Rollback']),
  version: emptyIsAbsent(versionSchema),
  additionalArguments: jsonOrObject(packageSourceSchema).optional(),
});

export async function configurePackageStep(
  context: StepContext,
  inputs: unknown,
): Promise<StepResult> {
  const parsed = packageSchema.safeParse(inputs);
  if (!parsed.success) return failure(`inputs: ${z.prettifyError(parsed.error)}`);
  const { name, action, version, additionalArguments } = parsed.data;
  const source = parsed.data.source ?? additionalArguments?.source ?? null;
  const sha256 = parsed.data.sha256 ?? additionalArguments?.sha256 ?? null;
  if (source !== null && sha256 === null) return failure(NO_HASH);
  return attempt(context, async () => {
    const line = await context.machine.configurePackage({
      ...requestOf(context),
      name,
      action,
      version: version ?? null,
      source,
      sha256,
      offered: offeredFor(context, { component: name, version: version ?? '' }),
    });
    context.journal({
      kind: 'software',
      components: [...(await context.machine.software())],
    });
    return line;
  });
}

const updateSchema = packageSourceSchema.extend({ targetVersion: versionSchema });

/**
 * Installs another version of the agent next to this one and requests a restart, which starts the
 * new version.
 */
export async function updateAgentStep(context: StepContext, inputs: unknown): Promise<StepResult> {
  const parsed = updateSchema.safeParse(inputs);
  if (!parsed.success) return failure(`inputs: ${z.prettifyError(parsed.error)}`);
  if (parsed.data.source !== undefined && parsed.data.sha256 === undefined) return failure(NO_HASH);
  return attempt(context, async () => {
    const line = await context.machine.configurePackage({
      ...requestOf(context),
      name: 'agent',
      action: 'Install',
      version: parsed.data.targetVersion,
      source: parsed.data.source ?? null,
      sha256: parsed.data.sha256 ?? null,
      offered: offeredFor(context, { component: 'agent', version: parsed.data.targetVersion }),
    });
    context.restartAgent();
    return line;
  });
}

interface Wanted {
  readonly component: string;
  readonly version: string;
}

function offeredFor({ software }: StepContext, { component, version }: Wanted) {
  const found = software.find((each) => each.component === component && each.version === version);
  return found ?? null;
}

const notOffered = ({ component, version }: Wanted): string =>
  `the portal has no approved file of ${component} ${version}`;

const requestOf = ({ command, stepIndex, isRepeated, signal }: StepContext) => ({
  invocationId: command.invocationId,
  undoNotesOf: command.undoNotesOf,
  isUndo: command.isUndo,
  stepIndex,
  isRepeated,
  signal,
});

async function attempt(context: StepContext, act: () => Promise<string>): Promise<StepResult> {
  try {
    context.output('stdout', `${await act()}\n`);
    return success;
  } catch (error) {
    if (context.signal.aborted) return interrupted(context.signal);
    context.output('stderr', `${reasonOf(error)}\n`);
    return failure(reasonOf(error), 1);
  }
}

function fileNameOf(url: string): string {
  const part = new URL(url).pathname.split('/').findLast((each) => each !== '') ?? 'download';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
