import type { PublicError } from '@deviceportal/contract/public-api-errors';
import { CliError } from '../cli-error.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { plainText } from '../output/plain-text.ts';

/** The error of a response of `/api/v1`. */
export function errorOfResponse(status: number, body: unknown): CliError {
  const { error } = (body ?? {}) as Partial<PublicError>;
  if (typeof error?.message !== 'string') {
    return new CliError(`The portal sent an unexpected response with status ${status}.`, {
      exitCode: status >= 500 || status === 429 ? exitCodes.unavailable : exitCodes.unexpected,
    });
  }
  const { code, message, issues = [], facts = {}, requestId } = error;
  const fields = issues
    .filter(({ path }) => path.length > 0)
    .map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  const hint = hintOf(status, facts);
  const lines = [
    `${sentence(message)} (${code})`,
    ...fields,
    ...(hint === undefined ? [] : [hint]),
  ];
  lines.push(`Request: ${requestId}`);
  return new CliError(plainText(lines.join('\n')), {
    exitCode: exitCodeOf(status),
    details: { error },
  });
}

const sentence = (message: string): string => {
  const start = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return /[.!?]$/.test(start) ? start : `${start}.`;
};

function hintOf(status: number, facts: Readonly<Record<string, unknown>>): string | undefined {
  if (status === 401) return 'Sign in again: deviceportal sign-in <url>';
  const { permission } = facts;
  return status === 403 && typeof permission === 'string'
    ? `Required permission: ${permission}`
    : undefined;
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401) return exitCodes.notSignedIn;
  if (status === 403) return exitCodes.denied;
  if (status === 404) return exitCodes.notFound;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.rejected;
}
