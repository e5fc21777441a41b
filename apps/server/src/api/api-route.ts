import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import { API_PATH, CASE_HEADER } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import type { ApiCallRecorder } from '../api-calls/api-call-recorder.ts';
import { toApiCall } from '../api-calls/to-api-call.ts';
import { looksLikeApiToken } from '../api-tokens/token-format.ts';
import { checkRequestShape } from './check-request-shape.ts';
import type { AppRouter } from './app-router.ts';
import type { CaseBinder } from '../cases/create-case-binder.ts';
import { portalErrorOf, type ApiContext, type FinishedCall } from '../platform/api.ts';
import { onceClosed } from '../platform/http/once-closed.ts';
import { overBudget } from '../platform/call-budget/over-budget.ts';
import type { UserBudget } from '../platform/call-budget/user-budget.ts';
import { UserBudgets } from '../platform/call-budget/user-budgets.ts';
import { RequestBudget } from '../platform/call-budget/request-budget.ts';
import type { StepUpGate } from '../platform/step-up-gate.ts';
import { toErrorAnswer } from '../platform/http/error-answer.ts';
import { isTransientFault } from '../platform/database/errors/database-fault.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { ViewerFinder } from '../session/find-viewer.ts';
import { readAuthorization } from '../session/token-check/read-authorization.ts';
import { isKeySetFault } from '../session/token-check/is-key-set-fault.ts';

export interface ApiRouteDependencies {
  readonly appRouter: AppRouter;
  readonly viewers: ViewerFinder;
  readonly apiCalls: ApiCallRecorder;
  readonly cases: CaseBinder;
  readonly clock: () => Date;
  readonly stepUp: StepUpGate;
  /** What callers are shown of outputs. */
  readonly shown: (output: unknown) => unknown;
}

/**
 * The portal sends a few dozen calls in a batch, and splits a batch that is rejected as too large. Parsing and
 * answering a rejected call also takes time: batches of 3,000 delayed all other callers by more than a second.
 */
const MAX_BATCH_CALLS = 500;

const RETRY_AFTER_MS = 1_000;

/**
 * Calls without a session that are recorded for one source address. Unauthenticated callers could otherwise fill the
 * log.
 */
export const UNAUTHENTICATED_QUOTA = { burst: 300, perSecond: 1 } as const;

type ApiRequest = FastifyRequest<{ Params: { path: string } }>;

/** The product API: batched, queries by GET, mutations by POST, no subscriptions (docs/design/portal.md, section 7). */
export function registerApiRoute(app: FastifyInstance, dependencies: ApiRouteDependencies): void {
  const budgets = new UserBudgets();
  const strangers = new TokenBuckets(UNAUTHENTICATED_QUOTA);
  app.register(async (api) => {
    // tRPC parses the body itself. Other content types are rejected unread, so `bodyLimit` applies to every body.
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      done(null, body);
    });
    api.all(`${API_PATH}/:path`, (request: ApiRequest, reply) =>
      answerRequest({ ...dependencies, budgets, strangers }, request, reply),
    );
  });
}

/**
 * Rejects the whole request before its calls are processed. tRPC's batch link returns one error object for every call
 * of a batch, so a large rejected batch costs no more than a single call.
 */
async function answerRequest(
  dependencies: AnswerDependencies,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    checkRequestShape(request);
    const origin: RequestOrigin = {
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'],
    };
    const viewer = await findViewer(dependencies, request, origin).catch((error: unknown) => {
      throw recordRefusal(dependencies, request, asPortalError(error));
    });
    if (countNames(request.params.path) > MAX_BATCH_CALLS) throw overBudget();
    countOpenRequest(dependencies.budgets.of(viewer.userId), reply);
    return await answerMembers(dependencies, { request, reply, origin, viewer });
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    logUnexpected(request, error, undefined);
    const { httpStatus } = error;
    return reply
      .code(httpStatus)
      .type('application/json; charset=utf-8')
      .send(toErrorAnswer(error, httpStatus, request.id));
  }
}

/** API tokens are for the public API, whose operations are fewer and stable. */
async function findViewer(
  { viewers }: ApiRouteDependencies,
  request: ApiRequest,
  origin: RequestOrigin,
): Promise<Viewer> {
  const token = tokenOf(request);
  if (token !== undefined && looksLikeApiToken(token)) throw refuse('api-token-elsewhere');
  return viewers.find(token, origin);
}

/** Counts a request as open until its response has been read: unread responses stay in memory. */
function countOpenRequest(person: UserBudget, reply: FastifyReply): void {
  if (!person.openRequest()) throw overBudget(RETRY_AFTER_MS);
  onceClosed(reply.raw, () => person.closeRequest());
}

interface AnswerDependencies extends ApiRouteDependencies {
  readonly budgets: UserBudgets;
  readonly strangers: TokenBuckets;
}

interface AdmittedRequest {
  readonly request: ApiRequest;
  readonly reply: FastifyReply;
  readonly origin: RequestOrigin;
  readonly viewer: Viewer;
}

async function answerMembers(
  { appRouter, apiCalls, cases, clock, stepUp, budgets, shown }: AnswerDependencies,
  { request, reply, origin, viewer }: AdmittedRequest,
): Promise<unknown> {
  const asked = Object.assign(request.raw, { body: request.body });
  const response = await fetchRequestHandler({
    endpoint: API_PATH,
    router: appRouter,
    req: incomingMessageToRequest(asked, reply.raw, { maxBodySize: null }),
    createContext: async ({ info }): Promise<ApiContext> => {
      const caseId = await caseOf(cases, viewer, request);
      const batchSize = info.calls.length;
      return {
        ...origin,
        caseId,
        viewer,
        stepUp,
        batchSize,
        shown,
        budget: new RequestBudget(budgets.of(viewer.userId)),
        onCall: (call) => {
          apiCalls.record(toApiCall(call, { viewer, origin, batchSize, at: clock() }));
          if (caseId === null || call.error !== null) return;
          cases.onDone({ ...call, viewer, caseId });
        },
      };
    },
    onError: ({ error, path }) => logUnexpected(request, portalErrorOf(error), path),
  });
  // As a stream, so that the body is sent as fast as the client reads it.
  const { status, headers } = response;
  const text = await response.text();
  return reply.code(status).headers(Object.fromEntries(headers)).send(text);
}

/**
 * Records one entry for a rejected batch, named after its first call, and none if that is not a procedure: the name
 * would be arbitrary text of the caller.
 */
function recordRefusal(
  { appRouter, apiCalls, clock, strangers }: AnswerDependencies,
  request: ApiRequest,
  error: PortalError,
): PortalError {
  const names = request.params.path;
  const end = names.indexOf(',');
  const path = end === -1 ? names : names.slice(0, end);
  if (!Object.hasOwn(appRouter._def.procedures, path)) return error;
  if (!strangers.of(addressBucket(request.ip)).take()) return error;
  const call: FinishedCall = {
    path,
    kind: request.method === 'GET' ? 'query' : 'mutation',
    durationMs: 0,
    error,
    input: undefined,
  };
  const origin: RequestOrigin = { requestId: request.id, address: request.ip };
  const batchSize = countNames(names);
  apiCalls.record(toApiCall(call, { viewer: error, origin, batchSize, at: clock() }));
  return error;
}

function countNames(names: string): number {
  let count = 1;
  for (let at = names.indexOf(','); at !== -1; at = names.indexOf(',', at + 1)) count += 1;
  return count;
}

async function caseOf(
  cases: CaseBinder,
  viewer: Viewer,
  { headers }: FastifyRequest,
): Promise<string | null> {
  const header = headers[CASE_HEADER];
  return typeof header === 'string' ? cases.find(viewer, header) : null;
}

/** tRPC gets the body as text. It is parsed here only if neither the header nor the query has a token. */
function tokenOf({ headers, query, body }: FastifyRequest): string | undefined {
  const { authorization } = query as { readonly authorization?: unknown };
  return (
    readAuthorization({ header: headers.authorization, query: authorization }) ??
    readAuthorization({ body: authorizationIn(body) })
  );
}

function authorizationIn(body: unknown): unknown {
  if (typeof body !== 'string' || !body.includes('"authorization"')) return undefined;
  try {
    const parsed = JSON.parse(body) as { readonly authorization?: unknown } | null;
    return parsed?.authorization;
  } catch {
    // The procedures reject the body with an error of the catalog.
    return undefined;
  }
}

function asPortalError(error: unknown): PortalError {
  if (error instanceof PortalError) return error;
  return isTransientFault(error)
    ? unavailable({ cause: error })
    : new PortalError('unknown', { cause: error });
}

/** Errors of the catalog are the caller's. Other errors are logged with their stack. */
function logUnexpected(
  request: { readonly log: FastifyBaseLogger },
  error: PortalError,
  path: string | undefined,
): void {
  if (error.errorName === 'unknown')
    request.log.error({ path, err: error.cause ?? error }, 'call failed');
  // No user can sign in while the issuer's keys are unavailable, so the operator is informed.
  else if (error.cause instanceof TokenRefusal && isKeySetFault(error.cause.fault))
    request.log.warn({ path, reason: error.cause.message }, 'issuer keys unavailable');
  else request.log.debug({ path, code: error.code, detail: error.detail }, 'call refused');
}
