import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { API_PATH } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import type { ApiCallRecorder } from './api-calls/api-call-recorder.ts';
import { maskInput } from './api-calls/mask-input.ts';
import type { AppRouter } from './app-router.ts';
import { portalErrorOf, type ApiContext, type FinishedCall } from './platform/api.ts';
import { isTransientFault } from './platform/database/database-fault.ts';
import type { RequestOrigin, Viewer } from './platform/viewer.ts';
import type { ViewerFinder } from './session/find-viewer.ts';

export interface ApiRouteDependencies {
  readonly appRouter: AppRouter;
  readonly viewers: ViewerFinder;
  readonly apiCalls: ApiCallRecorder;
  readonly clock: () => Date;
}

/** The product API: batched, queries by GET, mutations by POST, no subscriptions (portal specification, section 7). */
export function registerApiRoute(app: FastifyInstance, dependencies: ApiRouteDependencies): void {
  const { appRouter, viewers, apiCalls, clock } = dependencies;
  const options: FastifyTRPCPluginOptions<AppRouter> = {
    prefix: API_PATH,
    trpcOptions: {
      router: appRouter,
      createContext: async ({ req, info }): Promise<ApiContext> => {
        const origin: RequestOrigin = { requestId: req.id, address: req.ip };
        const viewer = await viewers.find(req.headers.authorization, origin).catch(asPortalError);
        const batchSize = info.calls.length;
        let isNoted = false;
        return {
          ...origin,
          viewer,
          batchSize,
          onCall: (call) => {
            // Whoever is not signed in may fill a batch at no cost: one entry for it is enough.
            if (viewer instanceof PortalError && isNoted) return;
            isNoted = true;
            apiCalls.record(toApiCall(call, { viewer, origin, batchSize, at: clock() }));
          },
        };
      },
      onError: ({ error, path, req }) =>
        logUnexpected(req as FastifyRequest, portalErrorOf(error), path),
    },
  };
  app.register(fastifyTRPCPlugin, options);
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
    requestId: origin.requestId,
    input: known === null ? null : maskInput(call.input),
  };
}

/** What the catalogue knows is the caller's business; what it does not is ours and gets its stack logged. */
function logUnexpected(
  request: { readonly log: FastifyBaseLogger },
  error: PortalError,
  path: string | undefined,
): void {
  if (error.errorName === 'unknown')
    request.log.error({ path, err: error.cause ?? error }, 'call failed');
  else request.log.debug({ path, code: error.code, detail: error.detail }, 'call refused');
}
