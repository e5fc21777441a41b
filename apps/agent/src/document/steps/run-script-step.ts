/** `aws:runShellScript` and `aws:runPowerShellScript`. */

import { z } from 'zod';
import { reasonOf } from '../../logger.ts';
import type { ShellOutcome } from '../../machine/machine.ts';
import { applyReports } from '../apply-reports.ts';
import type { StepResult } from '../run-document.ts';
import { stepTimeLimit } from '../step-time-limit.ts';
import { failure, interrupted, success, type StepContext } from '../step-context.ts';

/** Substitution can turn a line into a list (`["{{ commands }}"]`), whose items are lines. */
const linesSchema = z
  .union([z.string(), z.array(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))])
  .transform((lines) => (Array.isArray(lines) ? lines.flat().map(String) : [lines]));

const secondsSchema = z.coerce.number().int().min(1).max(172_800);

const inputsSchema = z.looseObject({
  runCommand: linesSchema,
  workingDirectory: z.string().optional(),
  timeoutSeconds: secondsSchema.optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** SSM's default for scripts. */
const DEFAULT_STEP_TIMEOUT_SECONDS = 3_600;
/**
 * Exit code by which a script requests a restart of the machine, after which it runs again (SSM).
 */
const RESTART_EXIT_CODE = 194;

export async function runScriptStep(
  context: StepContext,
  inputs: unknown,
  shell: 'sh' | 'pwsh',
): Promise<StepResult> {
  const parsed = inputsSchema.safeParse(inputs);
  if (!parsed.success) return failure(`inputs: ${z.prettifyError(parsed.error)}`);
  const { runCommand, workingDirectory, timeoutSeconds, env } = parsed.data;
  const limitMs = (timeoutSeconds ?? DEFAULT_STEP_TIMEOUT_SECONDS) * 1_000;
  using limit = stepTimeLimit(context, limitMs);
  let outcome: ShellOutcome;
  try {
    outcome = await context.machine.runShell({
      invocationId: context.command.invocationId,
      documentName: context.command.documentName,
      parameters: context.values,
      stepIndex: context.stepIndex,
      phase: context.phase,
      undoNotesOf: context.command.undoNotesOf,
      attempt: context.attempt,
      shell,
      script: runCommand.join('\n'),
      workingDirectory: workingDirectory || null,
      environment: { ...context.environment, ...env },
      resumeFrom: context.resumeFrom,
      onOutput: context.output,
      signal: limit.signal,
    });
  } catch (error) {
    return failure(reasonOf(error));
  }
  return endOf(context, outcome, limit.signal);
}

async function endOf(
  context: StepContext,
  outcome: ShellOutcome,
  signal: AbortSignal,
): Promise<StepResult> {
  const reportProblem = applyReports(context, outcome.reports);
  if (signal.aborted) return interrupted(signal);
  if (outcome.exitCode === null) return failure(outcome.lost ?? 'ended by a signal');
  for (const file of outcome.files) {
    try {
      await context.upload(file);
    } catch (error) {
      return failure(`${file.name} was not uploaded: ${reasonOf(error)}`, outcome.exitCode);
    }
  }
  if (outcome.exitCode === RESTART_EXIT_CODE) {
    return { state: 'Restart', exitCode: outcome.exitCode, reason: null };
  }
  if (outcome.exitCode !== 0) {
    return { state: 'Failed', exitCode: outcome.exitCode, reason: null };
  }
  return reportProblem === null ? success : failure(reportProblem, 0);
}
