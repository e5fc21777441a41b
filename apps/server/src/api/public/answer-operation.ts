import { addressBucket } from '@deviceportal/contract/address-bucket';
import { PortalError } from '@deviceportal/contract/errors';
import { publicOperations, type OperationId } from '@deviceportal/contract/public-api';
import type { PublicOperation } from '@deviceportal/contract/public-operation';
import { TRPCError } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiCallRecorder } from '../../api-calls/api-call-recorder.ts';
import { toApiCall } from '../../api-calls/to-api-call.ts';
import { UNAUTHENTICATED_QUOTA } from '../api-route.ts';
import type { AppRouter } from '../app-router.ts';
import type { TokenAuthentication } from '../../api-tokens/authenticate-token.ts';
import type { CaseBinder } from '../../cases/create-case-binder.ts';
import { createCaller, portalErrorOf, type ApiContext } from '../../platform/api.ts';
import { overBudget } from '../../platform/call-budget/over-budget.ts';
import { RequestBudget } from '../../platform/call-budget/request-budget.ts';
import { UserBudgets } from '../../platform/call-budget/user-budgets.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceClosed } from '../../platform/http/once-closed.ts';
import type { KeySource } from '../../platform/secrets/derived-keys.ts';
import type { StepUpGate } from '../../platform/step-up-gate.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import { handlers } from './handlers/handlers.ts';
import type { PortalCaller } from './operation-call.ts';
import { parseRequest, refuseTokenInAddress, type OperationInput } from './parse-request.ts';
import { RateLimit } from './rate-limit.ts';
import { withIdempotency, type Repetition } from '../../api-tokens/with-idempotency.ts';

export interface OperationDeps {
  readonly database: Database;
  readonly appRouter: AppRouter;
  readonly tokens: TokenAuthentication;
  readonly apiCalls: ApiCallRecorder;
  readonly cases: CaseBinder;
  readonly clock: () => Date;
  /** With which requests with an idempotency key are recognized. */
  readonly requestKeys: KeySource;
  readonly stepUp: StepUpGate;
  /** What callers are shown of outputs. */
  readonly shown: (output: unknown) => unknown;
}

/** A handler without the types of its operation, which the schemas guarantee. */
type AnyHandler = (
  call: OperationInput &
    Repetition & {
      readonly viewer: Viewer;
      readonly portal: PortalCaller;
      readonly inCase: (caseId: string) => Promise<PortalCaller>;
    },
) => Promise<unknown>;

/** Answers a request of an operation: token, rate, input, procedures, output. */
export function createOperationAnswerer(deps: OperationDeps) {
  const rate = new RateLimit();
  const budgets = new UserBudgets();
  const strangers = new TokenBuckets(UNAUTHENTICATED_QUOTA);
  return async (
    id: OperationId,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> => {
    refuseTokenInAddress(request);
    const origin: RequestOrigin = {
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'],
    };
    let isOverRate = false;
    const takeRate = (tokenId: string): void => {
      isOverRate = true;
      rate.take(tokenId, reply);
      isOverRate = false;
    };
    const viewer = await deps.tokens
      .authenticate(request.headers.authorization, origin, takeRate)
      .catch((error: unknown) => {
        if (!isOverRate) recordRefusal(deps, { id, origin, error, strangers });
        throw error;
      });
    const tokenId = viewer.apiToken?.id ?? viewer.userId;
    const budget = budgets.of(viewer.userId);
    if (!budget.openRequest()) throw overBudget(1_000);
    onceClosed(reply.raw, () => budget.closeRequest());
    const operation: PublicOperation = publicOperations[id];
    const input = parseRequest(operation, request);
    const portalIn = (caseId: string | null): PortalCaller =>
      createCaller(deps.appRouter)(() => ({
        ...contextOf(deps, { origin, viewer, caseId }),
        budget: new RequestBudget(budget),
      }));
    const run = (repetition: Repetition): Promise<unknown> =>
      (handlers[id] as AnyHandler)({
        ...{ ...input, ...repetition, viewer },
        portal: portalIn(null),
        inCase: async (caseId) => portalIn(await requireCase(deps, viewer, caseId)),
      }).catch((error: unknown) => {
        // Procedures wrap their errors; the key of a rejected request is given back by its own error.
        throw error instanceof TRPCError ? portalErrorOf(error) : error;
      });
    const { key, params, body } = input;
    const output =
      key === undefined
        ? await run({ repeatKey: undefined, isRepeated: false })
        : await withIdempotency(deps, { tokenId, key, content: [id, params, body] }, run);
    return operation.output.parse(output);
  };
}

function contextOf(
  { apiCalls, cases, clock, stepUp, shown }: OperationDeps,
  {
    origin,
    viewer,
    caseId,
  }: {
    readonly origin: RequestOrigin;
    readonly viewer: Viewer;
    readonly caseId: string | null;
  },
): ApiContext {
  return {
    ...{ ...origin, caseId, viewer, stepUp, shown, batchSize: 1 },
    onCall: (call) => {
      apiCalls.record(toApiCall(call, { viewer, origin, batchSize: 1, at: clock() }));
      if (caseId !== null && call.error === null) cases.onDone({ ...call, viewer, caseId });
    },
  };
}

async function requireCase(
  { cases }: OperationDeps,
  viewer: Viewer,
  caseId: string,
): Promise<string> {
  const found = await cases.find(viewer, caseId);
  if (found === null) throw new PortalError('notFound', { facts: { case: caseId } });
  return found;
}

/** Records a request without a valid token under the name of its operation. */
function recordRefusal(
  { apiCalls, clock }: OperationDeps,
  {
    id,
    origin,
    error,
    strangers,
  }: {
    readonly id: OperationId;
    readonly origin: RequestOrigin;
    readonly error: unknown;
    readonly strangers: TokenBuckets;
  },
): void {
  if (!(error instanceof PortalError)) return;
  if (!strangers.of(addressBucket(origin.address)).take()) return;
  const kind = publicOperations[id].method === 'get' ? 'query' : 'mutation';
  const call = { path: `v1.${id}`, kind, durationMs: 0, error, input: undefined } as const;
  apiCalls.record(toApiCall(call, { viewer: error, origin, batchSize: 1, at: clock() }));
}
