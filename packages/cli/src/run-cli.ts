import { CommanderError } from 'commander';
import type { CliContext } from './cli-context.ts';
import { CliError } from './cli-error.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { plainText } from './output/plain-text.ts';
import { createProgram } from './program.ts';

/** Runs the command of some arguments, prints its error if it fails, and returns the exit code. */
export async function runCli(
  context: CliContext,
  args: readonly string[],
  version: string,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram({ context, version, onExit: (given) => (code = given) });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    }
    return printError(context, error, args.includes('--json'));
  }
}

function printError({ stderr }: CliContext, error: unknown, isJson: boolean): ExitCode {
  if (error instanceof CliError) {
    const { message, details = { error: { message } }, exitCode } = error;
    stderr.write(isJson ? `${JSON.stringify(details)}\n` : `${message}\n`);
    return exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(isJson ? `${JSON.stringify({ error: { message } })}\n` : `${plainText(message)}\n`);
  return exitCodes.unexpected;
}
