import type { ExitCode } from './exit-codes.ts';

interface CliErrorOptions {
  readonly exitCode: ExitCode;
  /** Printed with `--json`: the error of the portal, if it has sent one. */
  readonly details?: { readonly error: { readonly reason?: string | null } };
  readonly cause?: unknown;
}

/** An error with a message for the user and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly details: CliErrorOptions['details'];

  constructor(message: string, { exitCode, details, cause }: CliErrorOptions) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.details = details;
  }
  /** The reason of the portal, if the code is too general. */
  get reason(): string | null {
    return this.details?.error.reason ?? null;
  }
}
