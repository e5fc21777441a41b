import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { API_PATH, CASE_HEADER } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { isSessionRefusal, type SessionRefusal } from '@deviceportal/contract/session-refusals';
import type { ApiCallRecorder } from './api-calls/api-call-recorder.ts';
import { maskInput } from './api-calls/mask-input.ts';
import type { AppRouter } from './app-router.ts';
import type { CaseBinder } from './cases/create-case-binder.ts';
import { portalErrorOf, type ApiContext, type FinishedCall } from './platform/api.ts';
import { isTransientFault } from './platform/database/database-fault.ts';
import type { RequestOrigin, Viewer } from './platform/viewer.ts';
import type { ViewerFinder } from './session/find-viewer.ts';
import { readAuthorization } from './session/token-check/read-authorization.ts';
import { isKeySetFault, TokenRefusal } from './session/token-check/token-refusal.ts';

export interface ApiRouteDependencies {
  readonly appRouter: AppRouter;
  readonly viewers: ViewerFinder;
  readonly apiCalls: ApiCallRecorder;
  readonly cases: CaseBinder;
  readonly clock: () => Date;
}

/** The product API: batched, queries by GET, mutations by POST, no subscriptions (portal specification, section 7). */
export function registerApiRoute(app: FastifyInstance, dependencies: ApiRouteDependencies): void {
  const { appRouter, viewers, apiCalls, cases, clock } = dependencies;
  const options: FastifyTRPCPluginOptions<AppRouter> = {
    prefix: API_PATH,
    trpcOptions: {
      router: appRouter,
      createContext: async ({ req, info }): Promise<ApiContext> => {
        const origin: RequestOrigin = { requestId: req.id, address: req.ip };
        const viewer = await viewers.find(tokenOf(req), origin).catch(asPortalError);
        const caseId = await caseOf(cases, viewer, req);
        const batchSize = info.calls.length;
        let isNoted = false;
        return {
          ...origin,
          caseId,
          viewer,
          batchSize,
          onCall: (call) => {
            // Whoever is not signed in may fill a batch at no cost: one entry for it is enough.
            if (viewer instanceof PortalError && isNoted) return;
            isNoted = true;
            apiCalls.record(toApiCall(call, { viewer, origin, batchSize, at: clock() }));
            if (viewer instanceof PortalError || caseId === null || call.error !== null) return;
            cases.onDone({ ...call, viewer, caseId });
          },
        };
      },
      onError: ({ error, path, req }) =>
        logUnexpected(req as FastifyRequest, portalErrorOf(error), path),
    },
  };
  app.register(fastifyTRPCPlugin, options);
}

async function caseOf(
  cases: CaseBinder,
  viewer: Viewer | PortalError,
  { headers }: FastifyRequest,
): Promise<string | null> {
  const header = headers[CASE_HEADER];
  if (viewer instanceof PortalError || typeof header !== 'string') return null;
  return cases.find(viewer, header);
}

/** tRPC gets the body as text; it is only opened where neither header nor query has a token. */
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
    // The procedures refuse it with the catalogue's error.
    return undefined;
  }
}

function asPortalError(error: unknown): PortalError {
  if (error instanceof PortalError) return error;
  return new PortalError(isTransientFault(error) ? 'noConnection' : 'unknown', { cause: error });
}

interface CallSurroundings {
  readonly viewer: Viewer | PortalError;
  readonly origin: RequestOrigin;
  readonly batchSize: number;
  readonly at: Date;
}

function toApiCall(call: FinishedCall, { viewer, origin, batchSize, at }: CallSurroundings) {
  const known = viewer instanceof PortalError ? null : viewer;
  return {
    at: at.toISOString(),
    userId: known?.userId ?? null,
    username: known?.username ?? null,
    address: origin.address,
    kind: call.kind,
    path: call.path,
    batchSize,
    durationMs: Math.round(call.durationMs * 100) / 100,
    status: call.error?.httpStatus ?? 200,
    errorCode: call.error?.code ?? null,
    refusal: refusalOf(viewer),
    requestId: origin.requestId,
    input: known === null ? null : maskInput(call.input),
  };
}

function refusalOf(viewer: Viewer | PortalError): SessionRefusal | null {
  const detail = viewer instanceof PortalError ? viewer.detail : undefined;
  return isSessionRefusal(detail) ? detail : null;
}

/** What the catalogue knows is the caller's business; what it does not is ours and gets its stack logged. */
function logUnexpected(
  request: { readonly log: FastifyBaseLogger },
  error: PortalError,
  path: string | undefined,
): void {
  if (error.errorName === 'unknown')
    request.log.error({ path, err: error.cause ?? error }, 'call failed');
  // Nobody gets in while the issuer's keys cannot be had: that is the operator's business.
  else if (error.cause instanceof TokenRefusal && isKeySetFault(error.cause.fault))
    request.log.warn({ path, reason: error.cause.message }, 'the keys of the issuer are missing');
  else request.log.debug({ path, code: error.code, detail: error.detail }, 'call refused');
}
