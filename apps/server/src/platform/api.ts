import { initTRPC, TRPCError } from '@trpc/server';
import superjson, { type SuperJSONResult } from 'superjson';
import { ZodError } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import { holds, type Permission } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { isImpossibleText } from './database/errors/data-exception.ts';
import { isTransientFault } from './database/errors/database-fault.ts';
import { portalErrorOfStatus } from './http/error-answer.ts';
import { portalErrorData } from './portal-error-data.ts';
import { unavailable } from './unavailable.ts';
import type { RequestBudget } from './call-budget/request-budget.ts';
import { isPlainJson } from './is-plain-json.ts';
import { readInput } from './read-input.ts';
import { stepUpCheck, type StepUpGate, type StepUpRule } from './step-up-gate.ts';
import type { RequestOrigin, Viewer } from './viewer.ts';
import { issuesOf } from './issues-of.ts';
import type { TracedWork } from './tracing/telemetry-package.ts';
import { traced } from './tracing/traced.ts';

/** Context of every procedure. */
export interface ApiContext extends RequestOrigin {
  /** The viewer, or the error if there is none. */
  readonly viewer: Viewer | PortalError;
  readonly stepUp: StepUpGate;
  /** Number of operations in the same request. */
  readonly batchSize: number;
  /**
   * Starts the calls of a request while the caller has server time left; absent for internal calls.
   */
  readonly budget?: RequestBudget;
  /** What the caller is shown of an output; absent for internal calls. */
  readonly shown?: (output: unknown) => unknown;
  /** Called after every call; must not throw. */
  readonly onCall: (call: FinishedCall) => void;
}

export interface FinishedCall {
  readonly path: string;
  readonly kind: 'query' | 'mutation';
  readonly durationMs: number;
  readonly error: PortalError | null;
  readonly input: unknown;
}

/**
 * Required permission of a procedure: one permission, any of several, or one of these. `session`:
 * the user's own session and profile. `admitted`: users whom an administrator has admitted, even
 * without a role. `signed-in`: users with any role. `commands:run`: users who can read commands and
 * run a class of commands or a single one. Which one a call requires depends on the document, so
 * the use case checks that.
 */
export type RequiredPermission =
  | Permission
  | readonly Permission[]
  | 'session'
  | 'admitted'
  | 'signed-in'
  | 'commands:run';

interface ProcedureMeta {
  readonly permission: RequiredPermission;
  /** A fresh second step that the procedure requires in addition. */
  readonly stepUp?: StepUpRule | undefined;
}

/**
 * The catalog error for any thrown error: invalid input is 2004 with its fields, an unavailable
 * database 2000, all others are unknown.
 */
export function portalErrorOf(error: TRPCError): PortalError {
  if (error.cause instanceof PortalError) return error.cause;
  if (error.cause instanceof ZodError) {
    return refuse('input-invalid', { issues: issuesOf(error.cause), cause: error });
  }
  if (isImpossibleText(error.cause)) {
    return refuse('text-not-storable', { cause: error });
  }
  if (error.code === 'NOT_FOUND') return new PortalError('notFound', { cause: error });
  if (error.code === 'BAD_REQUEST' || error.code === 'PARSE_ERROR')
    return refuse('request-malformed', { cause: error });
  if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return portalErrorOfStatus(415, error);
  if (error.code === 'METHOD_NOT_SUPPORTED') return portalErrorOfStatus(405, error);
  if (isTransientFault(error.cause)) return unavailable({ cause: error });
  return new PortalError('unknown', { cause: error });
}

/**
 * Errors that the formatter has already converted to plain JSON, of which a large batch has
 * thousands.
 */
const plainShapes = new WeakSet<object>();

function serializeOutput(value: unknown): SuperJSONResult {
  if (typeof value === 'object' && value !== null && plainShapes.has(value)) {
    return { json: value as SuperJSONResult['json'] };
  }
  return isPlainJson(value)
    ? { json: value as SuperJSONResult['json'] }
    : superjson.serialize(value);
}

const trpc = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    // Otherwise tRPC formats the stack of every error, which our formatter drops.
    isDev: false,
    transformer: {
      input: { serialize: superjson.serialize, deserialize: readInput },
      output: { serialize: serializeOutput, deserialize: superjson.deserialize },
    },
    errorFormatter({ shape, error, ctx }) {
      const portalError = portalErrorOf(error);
      const portal = portalErrorData(portalError, ctx?.requestId ?? '');
      const formatted = {
        ...shape,
        message: portalError.message,
        data: {
          code: shape.data.code,
          httpStatus: portalError.httpStatus,
          path: shape.data.path,
          portal,
        },
      };
      plainShapes.add(formatted);
      return formatted;
    },
  });

export const router = trpc.router;
export const createCaller = trpc.createCallerFactory;

/** The first middleware. Calls over the budget are not started and therefore not recorded. */
const budgeted = trpc.middleware(async ({ ctx, next, signal, type }) => {
  if (ctx.budget === undefined) return next();
  return asTrpc(ctx.budget.run(() => next(), { isChange: type === 'mutation', signal }));
});

const reported = trpc.middleware(async ({ ctx, path, type, getRawInput, next }) => {
  const startedAt = performance.now();
  const result = await next();
  ctx.onCall({
    path,
    kind: type === 'mutation' ? 'mutation' : 'query',
    durationMs: performance.now() - startedAt,
    error: result.ok ? null : portalErrorOf(result.error),
    input: await getRawInput().catch(() => undefined),
  });
  return result;
});

/** Names only: inputs can contain personal data. */
const spanned = trpc.middleware(({ path, type, next }) => {
  const span: TracedWork = { kind: 'internal', name: path, attributes: { 'rpc.system': 'trpc' } };
  span.attributes['deviceportal.call'] = type;
  return traced(span, async () => {
    const result = await next();
    if (!result.ok) {
      const { errorName, code } = portalErrorOf(result.error);
      span.hasFailed = errorName === 'unknown';
      span.attributes['deviceportal.error_code'] = code;
    }
    return result;
  });
});

/**
 * The only way to create a procedure. It requires a permission; the use case applies the scope of
 * the permission in SQL. What destroys, grants rights, or reveals personal data in bulk also
 * requires a step-up, which is checked here, or by the use case with `requireStepUp`.
 */
export function permitted(permission: RequiredPermission, stepUp?: StepUpRule) {
  return trpc.procedure
    .meta({ permission, stepUp })
    .use(budgeted)
    .use(spanned)
    .use(reported)
    .use(async ({ ctx, next, path, signal }) => {
      const { viewer } = ctx;
      if (viewer instanceof PortalError) throw toTrpcError(viewer);
      const needed = typeof permission === 'string' ? [permission] : permission;
      if (viewer.apiToken !== undefined && needed.some(isForUsersOnly)) {
        throw toTrpcError(refuse('not-by-api-token'));
      }
      const allowed = needed.some((name) => isMet(viewer, name));
      if (!allowed) {
        throw toTrpcError(
          new PortalError('noPermission', { facts: { permission: needed.join(' | ') } }),
        );
      }
      const requireStepUp = stepUpCheck(ctx.stepUp, { viewer, rule: stepUp, path });
      if (typeof stepUp === 'string') await asTrpc(requireStepUp());
      const result = await next({ ctx: { ...ctx, viewer, signal, requireStepUp } });
      if (!result.ok && result.error.cause instanceof PortalError)
        throw toTrpcError(result.error.cause);
      if (!result.ok || ctx.shown === undefined) return result;
      return { ...result, data: ctx.shown(result.data) };
    });
}

function isMet({ admitted, grants }: Viewer, name: string): boolean {
  if (name === 'session') return true;
  if (name === 'admitted') return admitted;
  if (name === 'signed-in') return grants.length > 0;
  if (name === 'commands:run') return holds(grants, 'commands:read') && mayRunSome(grants);
  return holds(grants, name as Permission);
}

/** A token acts within its permissions; sessions, profiles, and second steps are not among them. */
const isForUsersOnly = (name: string): boolean => name === 'session' || name === 'admitted';

const mayRunSome = (grants: Viewer['grants']): boolean =>
  grants.some(({ permissions }) => permissions.some((name) => name.startsWith('commands:run:')));

async function asTrpc<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PortalError ? toTrpcError(error) : error;
  }
}

const trpcCodeByStatus = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
} as const;

function toTrpcError(error: PortalError): TRPCError {
  const code = trpcCodeByStatus[error.httpStatus as keyof typeof trpcCodeByStatus];
  return new TRPCError({
    code: code ?? 'INTERNAL_SERVER_ERROR',
    message: error.message,
    cause: error,
  });
}
