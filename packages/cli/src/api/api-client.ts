import type {
  OperationId,
  OperationOutput,
  publicOperations,
} from '@deviceportal/contract/public-api';
import type { z } from 'zod';
import { errorOfResponse } from './api-error.ts';
import { routes } from './routes.ts';
import { sendRequest } from './send-request.ts';

type Operations = typeof publicOperations;

/** What an operation accepts, before defaults are applied. */
type Accepted<Id extends OperationId, Part extends string> = Operations[Id] extends {
  readonly [Name in Part]: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : undefined;

type Plain<Value> = { readonly [Name in keyof Value]?: unknown };

export interface CallInput<Id extends OperationId> {
  readonly params?: Accepted<Id, 'params'>;
  /** Names are those of the operation; values are sent as text. */
  readonly query?: Plain<Accepted<Id, 'query'>>;
  readonly body?: Accepted<Id, 'body'>;
  readonly idempotencyKey?: string;
}

/** Calls operations of `/api/v1` with a token. */
export class ApiClient {
  readonly portalUrl: string;
  readonly #token: string;

  constructor(portalUrl: string, token: string) {
    this.portalUrl = portalUrl;
    this.#token = token;
  }

  /** @throws CliError with the message of the portal */
  async call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> = {},
  ): Promise<OperationOutput<Id>> {
    const [method, path] = routes[id];
    const { params = {}, query = {}, body, idempotencyKey } = input;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(String((params as Readonly<Record<string, unknown>>)[name])),
    );
    const search = searchOf(query);
    const answer = await sendRequest({
      url: `${this.portalUrl}/api/v1${filled}${search}`,
      init: {
        method: method.toUpperCase(),
        headers: {
          authorization: `Bearer ${this.#token}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      isRepeatable: method === 'get' || idempotencyKey !== undefined,
    });
    if (answer.status >= 400 || answer.body === undefined) {
      throw errorOfResponse(answer.status, answer.body);
    }
    return answer.body as OperationOutput<Id>;
  }
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
