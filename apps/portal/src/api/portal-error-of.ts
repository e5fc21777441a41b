import { TRPCClientError } from '@trpc/client';
import {
  PortalError,
  errorCatalog,
  errorNameOf,
  type ErrorName,
  type PortalErrorData,
} from '@deviceportal/contract/errors';
import { UntransformableResponse } from './portal-fetch.ts';

/** An error as screens use it, independent of its origin. */
export interface ClientError extends PortalErrorData {
  /** The HTTP status behind 2000, if there was a response. */
  readonly httpStatus: number | null;
  /** The response could not be read, possibly because the portal has just been updated. */
  readonly unreadable: boolean;
}

/**
 * The fact `reason` of a mutation whose response was lost, so that it may or may not have been
 * carried out.
 */
export const OUTCOME_UNKNOWN = 'outcomeUnknown';

const UNREADABLE = new Set([
  'Unable to transform response from server',
  'Badly formatted response from server',
]);

/** Maps a thrown value to an error of the catalog: -1 if unknown, 2002 without a network. */
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
  if (error.meta?.[OUTCOME_UNKNOWN] === true) {
    const unknown = plain('httpUnknown', error.message);
    return { ...unknown, facts: { reason: OUTCOME_UNKNOWN }, httpStatus };
  }
  if (UNREADABLE.has(error.message)) {
    // A reload can help if the portal’s own server responded, not if a proxy reports that it is
    // unavailable.
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

/** Proxies respond without a catalog code. */
function nameOfStatus(status: number): ErrorName {
  if (status === 401) return 'invalidSession';
  if (status === 403) return 'noPermission';
  if (status === 404) return 'notFound';
  return 'httpUnknown';
}
