/** `aws:downloadContent`, `aws:configurePackage` and `aws:updateAgent`: files and packages from a URL. */

import { z } from 'zod';
import { reasonOf } from '../../logger.ts';
import type { StepResult } from '../run-document.ts';
import { failure, interrupted, success, type StepContext } from '../step-context.ts';

const sha256Schema = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((hash) => hash.toLowerCase());
const urlSchema = z.url({ protocol: /^https?$/ });

/** SSM writes some inputs as JSON in a text. */
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
  sourceType: z.literal('HTTP', 'only HTTP sources can be fetched'),
  sourceInfo: jsonOrObject(z.looseObject({ url: urlSchema, sha256: emptyIsAbsent(sha256Schema) })),
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
  const destination = destinationPath || fileNameOf(sourceInfo.url);
  return attempt(context, async () => {
    const bytes = await context.machine.download({
      invocationId: context.command.invocationId,
      url: sourceInfo.url,
      sha256: parsed.data.sha256 ?? sourceInfo.sha256 ?? null,
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

const nameSchema = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$/);
const versionSchema = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,63}$/);

/** SSM finds packages in its own registry; ours come from `source`, here or in `additionalArguments`. */
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
  return attempt(context, async () => {
    const line = await context.machine.configurePackage({
      invocationId: context.command.invocationId,
      name,
      action,
      version: version ?? null,
      source: parsed.data.source ?? additionalArguments?.source ?? null,
      sha256: parsed.data.sha256 ?? additionalArguments?.sha256 ?? null,
      signal: context.signal,
    });
    context.journal({
      kind: 'software',
      components: [...(await context.machine.software('components'))],
    });
    return line;
  });
}

const updateSchema = packageSourceSchema.extend({ targetVersion: versionSchema });

/** Installs another agent beside this one and asks for a fresh start, which takes the new one up. */
export async function updateAgentStep(context: StepContext, inputs: unknown): Promise<StepResult> {
  const parsed = updateSchema.safeParse(inputs);
  if (!parsed.success) return failure(`inputs: ${z.prettifyError(parsed.error)}`);
  return attempt(context, async () => {
    const line = await context.machine.configurePackage({
      invocationId: context.command.invocationId,
      name: 'agent',
      action: 'Install',
      version: parsed.data.targetVersion,
      source: parsed.data.source ?? null,
      sha256: parsed.data.sha256 ?? null,
      signal: context.signal,
    });
    context.restartAgent();
    return line;
  });
}

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
  return new URL(url).pathname.split('/').findLast((part) => part !== '') ?? 'download';
}
