import { TRPCClientError } from '@trpc/client';
import {
  PortalError,
  errorCatalog,
  errorNameOf,
  type ErrorName,
  type PortalErrorData,
} from '@deviceportal/contract/errors';
import { UntransformableResponse } from './portal-fetch.ts';

/** How an error looks to the screens, wherever it came from. */
export interface ClientError extends PortalErrorData {
  /** The HTTP status behind 2000, where there was one. */
  readonly httpStatus: number | null;
  /** The answer could not be read: the portal has perhaps just been updated. */
  readonly unreadable: boolean;
}

const UNREADABLE = new Set([
  'Unable to transform response from server',
  'Badly formatted response from server',
]);

/** The catalog's error behind whatever a call threw; what nobody knows is -1, no network 2002. */
export function portalErrorOf(error: unknown): ClientError {
  if (error instanceof PortalError) {
    const { code, errorName: name, message, issues, facts, reason } = error;
    return {
      code,
      name,
      message,
      issues,
      facts,
      reason,
      requestId: '',
      httpStatus: null,
      unreadable: false,
    };
  }
  if (!(error instanceof TRPCClientError)) return plain('unknown', messageOf(error));
  const portal = portalDataOf(error);
  if (portal !== undefined) {
    const name = errorNameOf(portal.code);
    return {
      ...portal,
      name,
      code: errorCatalog[name].code,
      httpStatus: name === 'httpUnknown' ? httpStatusOf(error) : null,
      unreadable: false,
    };
  }
  const httpStatus = httpStatusOf(error);
  if (UNREADABLE.has(error.message)) {
    // Loading the portal anew helps where its own server answered so, not where a proxy says that it is away.
    const unreadable = httpStatus === null || httpStatus < 400;
    return { ...plain('httpUnknown', error.message), httpStatus, unreadable };
  }
  if (error.cause instanceof PortalError) return portalErrorOf(error.cause);
  if (httpStatus === null) return plain('noConnection', error.message);
  return { ...plain(nameOfStatus(httpStatus), error.message), httpStatus };
}

function plain(name: ErrorName, message: string): ClientError {
  return {
    code: errorCatalog[name].code,
    name,
    message,
    issues: [],
    facts: {},
    reason: null,
    requestId: '',
    httpStatus: null,
    unreadable: false,
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function portalDataOf(error: TRPCClientError<never>): PortalErrorData | undefined {
  const data = error.data as { readonly portal?: PortalErrorData } | undefined | null;
  return typeof data?.portal?.code === 'number' ? data.portal : undefined;
}

function httpStatusOf(error: TRPCClientError<never>): number | null {
  if (error.cause instanceof UntransformableResponse) return error.cause.httpStatus;
  const response = error.meta?.['response'];
  return response instanceof Response ? response.status : null;
}

/** A proxy answers without a catalog code. */
function nameOfStatus(status: number): ErrorName {
  if (status === 401) return 'invalidSession';
  if (status === 403) return 'noPermission';
  if (status === 404) return 'notFound';
  return 'httpUnknown';
}
