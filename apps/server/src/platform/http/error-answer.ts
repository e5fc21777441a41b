import { PortalError, type PortalErrorData } from '@deviceportal/contract/errors';
import { refuse, type RefusalReasonWithoutFacts } from '@deviceportal/contract/refuse';
import { portalErrorData } from '../portal-error-data.ts';
import { unavailable } from '../unavailable.ts';

/**
 * Error response of requests other than procedures: the catalog entry, and the same in the format
 * of the tRPC client (whose batch link passes one object to every call of the batch).
 */
export interface ErrorAnswer extends PortalErrorData {
  readonly error: {
    readonly json: {
      readonly message: string;
      readonly code: number;
      readonly data: {
        readonly code: string;
        readonly httpStatus: number;
        readonly portal: PortalErrorData;
      };
    };
  };
}

/** tRPC's names and JSON-RPC codes of HTTP statuses (`@trpc/server`, `TRPC_ERROR_CODES_BY_KEY`). */
const rpcCodes: Readonly<Record<number, readonly [string, number]>> = {
  400: ['BAD_REQUEST', -32_600],
  401: ['UNAUTHORIZED', -32_001],
  403: ['FORBIDDEN', -32_003],
  404: ['NOT_FOUND', -32_004],
  405: ['METHOD_NOT_SUPPORTED', -32_005],
  408: ['TIMEOUT', -32_008],
  409: ['CONFLICT', -32_009],
  413: ['PAYLOAD_TOO_LARGE', -32_013],
  415: ['UNSUPPORTED_MEDIA_TYPE', -32_015],
  422: ['UNPROCESSABLE_CONTENT', -32_022],
  429: ['TOO_MANY_REQUESTS', -32_029],
  503: ['SERVICE_UNAVAILABLE', -32_603],
};

export function toErrorAnswer(error: PortalError, status: number, requestId: string): ErrorAnswer {
  const portal = portalErrorData(error, requestId);
  const [code, rpcCode] =
    rpcCodes[status] ??
    (status < 500 ? ['BAD_REQUEST', -32_600] : ['INTERNAL_SERVER_ERROR', -32_603]);
  return {
    ...portal,
    error: {
      json: {
        message: error.message,
        code: rpcCode,
        data: { code, httpStatus: status, portal },
      },
    },
  };
}

const reasons: Readonly<Record<number, RefusalReasonWithoutFacts>> = {
  408: 'request-too-slow',
  413: 'body-too-large',
  414: 'address-too-long',
  415: 'content-type-unknown',
  431: 'head-too-long',
};

/** The catalog entry for an HTTP status. */
export function portalErrorOfStatus(status: number, cause?: unknown): PortalError {
  if (status === 404) return new PortalError('notFound', { cause });
  if (status === 401) return new PortalError('invalidSession', { cause });
  if (status === 403) return new PortalError('noPermission', { cause });
  if (status === 502 || status === 503) return unavailable({ cause });
  if (status >= 400 && status < 500) {
    return refuse(reasons[status] ?? 'request-malformed', { cause });
  }
  return new PortalError('unknown', { cause });
}
