import { createRetry, type Retry } from './retry-quota.ts';

/** An error of the identity pool, with the name of its exception. */
export class IdentityPoolError extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

const CALL_TIMEOUT_MS = 10_000;
const THROTTLING = new Set([
  'TooManyRequestsException',
  'LimitExceededException',
  'ThrottlingException',
]);

export interface IdentityPoolClientOptions {
  readonly endpoint: string;
  readonly fetch: typeof globalThis.fetch;
  readonly retry?: Retry;
}

export type IdentityPoolCall = (
  operation: 'GetId' | 'GetCredentialsForIdentity',
  payload: object,
) => Promise<Record<string, unknown>>;

/**
 * Sends POST requests with an operation target (docs/design/portal.md, section 7), and retries
 * them.
 */
export function createIdentityPoolClient(options: IdentityPoolClientOptions): IdentityPoolCall {
  const retry =
    options.retry ??
    createRetry({
      classify: classifyFailure,
      sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
      random: Math.random,
    });
  return (operation, payload) => retry(() => call(options, operation, payload));
}

/**
 * Classifies an error for retries: limits, conflicts, and faults of the service or network can be
 * retried.
 */
export function classifyFailure(error: unknown): 'time-out' | 'throttled' | 'failure' | 'final' {
  const { name, status } = error as { readonly name?: string; readonly status?: number };
  if (THROTTLING.has(name ?? '') || status === 429) return 'throttled';
  if (name === 'ResourceConflictException' || name === 'InternalErrorException') return 'failure';
  if (status !== undefined) return status >= 500 ? 'failure' : 'final';
  // Errors of the library have no status. Names of service exceptions end in "Exception".
  if (name?.endsWith('Exception') === true) return 'final';
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'time-out' : 'failure';
}

async function call(
  { endpoint, fetch }: IdentityPoolClientOptions,
  operation: string,
  payload: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityService.${operation}`,
      'cache-control': 'no-store',
    },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return body;
  const header = response.headers.get('x-amzn-errortype') ?? String(body['__type'] ?? 'Unknown');
  const name = header.split(/[:,]/)[0]?.split('#').at(-1) ?? 'Unknown';
  throw new IdentityPoolError(
    name,
    String(body['message'] ?? body['Message'] ?? name),
    response.status,
  );
}
