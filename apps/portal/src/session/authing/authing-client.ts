/**
 * A failure at the external provider: its own code and message where it answered, else the HTTP status, or 500 when no
 * answer came (sign-in specification, section 8).
 */
export class AuthingError extends Error {
  override readonly name = 'AuthingError';
  readonly code: number;
  readonly data: unknown;
  /** `refusal`: the provider said no; `status`: HTTP said no; `network`: nobody answered. */
  readonly kind: 'refusal' | 'status' | 'network';

  constructor(
    kind: AuthingError['kind'],
    facts: {
      readonly code: number;
      readonly message: string;
      readonly data?: unknown;
      readonly cause?: unknown;
    },
  ) {
    super(facts.message, { cause: facts.cause });
    this.kind = kind;
    this.code = facts.code;
    this.data = facts.data;
  }
}

export interface AuthingClientOptions {
  readonly host: string;
  readonly appId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly language: () => 'zh-CN' | 'en-US';
}

export interface AuthingClient {
  /** POST /graphql/v2. @returns the field of that name of `data` */
  graphql<Result>(field: string, query: string, options: CallOptions): Promise<Result>;
  /** @returns `data` of the envelope */
  rest<Result>(method: 'GET' | 'POST', path: string, options: CallOptions): Promise<Result>;
}

export interface CallOptions {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly token?: string;
}

const TIMEOUT_MS = 10_000;
const SDK_VERSION = 'js:4.21.8';

interface Envelope {
  readonly code?: number;
  readonly statusCode?: number;
  readonly message?: string;
  readonly data?: unknown;
}

interface GraphqlAnswer {
  readonly errors?: readonly { readonly message: string | Envelope }[];
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** The external provider's application host: GraphQL and REST with their headers and envelopes (identity-sdk.md). */
export function createAuthingClient(options: AuthingClientOptions): AuthingClient {
  return {
    async graphql<Result>(field: string, query: string, { body, token }: CallOptions) {
      const answer = (await call(options, 'POST', '/graphql/v2', {
        ...(token !== undefined && { token }),
        body: { query, variables: body ?? {} },
      })) as GraphqlAnswer;
      const failure = answer.errors?.[0]?.message;
      if (failure !== undefined) throw refusalOf(failure);
      return answer.data?.[field] as Result;
    },
    async rest<Result>(method: 'GET' | 'POST', path: string, callOptions: CallOptions) {
      const envelope = (await call(options, method, path, callOptions)) as Envelope;
      if (envelope.code === 200 || envelope.statusCode === 200) return envelope.data as Result;
      throw refusalOf(envelope);
    },
  };
}

function refusalOf(failure: string | Envelope): AuthingError {
  const envelope = typeof failure === 'string' ? { message: failure } : failure;
  return new AuthingError('refusal', {
    code: envelope.code ?? (envelope as Envelope).statusCode ?? 500,
    message: envelope.message ?? 'The identity provider refused.',
    data: envelope.data,
  });
}

async function call(
  { host, appId, fetch, language }: AuthingClientOptions,
  method: string,
  path: string,
  { body, token }: CallOptions,
): Promise<object> {
  const response = await fetch(`${host}${path}`, {
    method,
    credentials: 'include',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'x-authing-app-id': appId,
      'x-authing-request-from': 'sdk',
      'x-authing-sdk-version': SDK_VERSION,
      'x-authing-lang': language(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new AuthingError('network', { code: 500, message: 'No answer.', cause });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const isObject = typeof answer === 'object' && answer !== null;
  if (response.ok && isObject) return answer;
  const message = isObject && 'message' in answer ? String(answer.message) : undefined;
  throw new AuthingError('status', {
    code: response.status,
    message: message ?? `The identity provider answered with HTTP ${response.status}.`,
    data: answer,
  });
}
