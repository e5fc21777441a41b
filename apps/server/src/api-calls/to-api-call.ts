import type { ApiCall } from '@deviceportal/contract/api-calls';
import { PortalError } from '@deviceportal/contract/errors';
import { isSessionRefusal, type SessionRefusal } from '@deviceportal/contract/session-refusals';
import type { FinishedCall } from '../platform/api.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { maskInput } from './mask-input.ts';

export interface CallContext {
  readonly viewer: Viewer | PortalError;
  readonly origin: RequestOrigin;
  readonly batchSize: number;
  readonly at: Date;
}

/** A finished call as it is recorded; of a call without a session, the reason. */
export function toApiCall(
  call: FinishedCall,
  { viewer, origin, batchSize, at }: CallContext,
): Omit<ApiCall, 'id'> {
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
    apiToken: known?.apiToken?.name ?? null,
    requestId: origin.requestId,
    input: known === null ? null : maskInput(call.input),
  };
}

function refusalOf(viewer: Viewer | PortalError): SessionRefusal | null {
  const detail = viewer instanceof PortalError ? viewer.detail : undefined;
  return isSessionRefusal(detail) ? detail : null;
}
