import { randomUUID } from 'node:crypto';
import { AssumeRoleError, type AssumeRoleFault } from '../roles/assume-role-error.ts';
import { assumeRole, type AssumeRoleContext } from '../roles/assume-role.ts';
import {
  authenticateCall,
  TooManyCallsError,
  type AuthenticateContext,
} from '../signature/authenticate-call.ts';
import type { Principal } from '../signature/principal.ts';
import { SignatureError, type SignatureFault } from '../signature/signature-error.ts';
import type { OnInternalError } from '../wire/dispatch.ts';
import type { WireReply, WireRequest } from '../wire/wire-reply.ts';
import { StsError, type StsErrorCode } from './sts-error.ts';
import { stsFailure, stsSuccess, type XmlFields } from './sts-reply.ts';
import { readAssumeRole } from './sts-shapes.ts';

export interface StsContext extends AssumeRoleContext, AuthenticateContext {}

const VERSION = '2011-06-15';
/** Region of the global endpoint, which tools use by default. */
const GLOBAL_REGION = 'us-east-1';

/** A call of the query protocol: a form in the body, and no target header. */
export function isStsCall({ headers }: WireRequest): boolean {
  const type = headers['content-type'];
  return (
    headers['x-amz-target'] === undefined &&
    typeof type === 'string' &&
    type.toLowerCase().startsWith('application/x-www-form-urlencoded')
  );
}

/** Answers one call of the role sessions' protocol: AssumeRole and GetCallerIdentity. Never rejects. */
export async function answerSts(
  context: StsContext,
  request: WireRequest,
  onInternalError: OnInternalError,
): Promise<WireReply> {
  const requestId = request.requestId ?? randomUUID();
  const form = new Map(new URLSearchParams(request.body));
  const action = form.get('Action') ?? '';
  try {
    const answer = await run(context, { request, requestId, form, action });
    return stsSuccess(action, answer, requestId);
  } catch (error) {
    const refusal = asStsError(error);
    if (refusal.code === 'InternalFailure') onInternalError(error, `STS.${action}`);
    return stsFailure(refusal, requestId);
  }
}

interface StsCall {
  readonly request: WireRequest;
  readonly requestId: string;
  readonly form: ReadonlyMap<string, string>;
  readonly action: string;
}

async function run(context: StsContext, call: StsCall): Promise<XmlFields> {
  const { request, form, action } = call;
  const principal = await authenticateCall(context, request, {
    service: 'sts',
    regions: [context.settings.region, GLOBAL_REGION],
  });
  if (form.get('Version') === VERSION && request.method === 'POST') {
    if (action === 'GetCallerIdentity') return callerIdentity(context, principal);
    if (action === 'AssumeRole') return assume(context, principal, call);
  }
  const version = form.get('Version') ?? '';
  throw new StsError('InvalidAction', `Could not find operation ${action} for version ${version}`);
}

/** GetCallerIdentity requires no permission, as on AWS. */
function callerIdentity({ settings }: StsContext, { arn, userId }: Principal): XmlFields {
  return { Arn: arn, UserId: userId, Account: settings.accountId };
}

async function assume(
  context: StsContext,
  principal: Principal,
  { form, request, requestId }: StsCall,
): Promise<XmlFields> {
  const input = readAssumeRole(form);
  const session = await assumeRole(
    context,
    { principal, address: request.address, requestId },
    {
      roleArn: input.RoleArn,
      sessionName: input.RoleSessionName,
      durationSeconds: input.DurationSeconds,
      sessionPolicy: input.Policy,
      externalId: input.ExternalId,
      sourceIdentity: input.SourceIdentity,
    },
  );
  return {
    Credentials: {
      AccessKeyId: session.accessKeyId,
      SecretAccessKey: session.secretAccessKey,
      SessionToken: session.sessionToken,
      Expiration: session.expiresAt.toISOString(),
    },
    AssumedRoleUser: { AssumedRoleId: session.assumedRoleId, Arn: session.arn },
    SourceIdentity: session.sourceIdentity,
  };
}

function asStsError(error: unknown): StsError {
  if (error instanceof StsError) return error;
  if (error instanceof TooManyCallsError) return new StsError('Throttling', 'Rate exceeded');
  if (error instanceof SignatureError) {
    return new StsError(signatureCodes[error.fault], error.message);
  }
  if (error instanceof AssumeRoleError) {
    return new StsError(assumeCodes[error.fault], error.message);
  }
  return new StsError('InternalFailure', 'Something went wrong.', { cause: error });
}

const signatureCodes: Readonly<Record<SignatureFault, StsErrorCode>> = {
  missing: 'MissingAuthenticationToken',
  incomplete: 'IncompleteSignature',
  unknownKey: 'InvalidClientTokenId',
  mismatch: 'SignatureDoesNotMatch',
  notYetValid: 'SignatureDoesNotMatch',
  stale: 'SignatureDoesNotMatch',
  wrongScope: 'SignatureDoesNotMatch',
  credentialsExpired: 'ExpiredToken',
};

const assumeCodes: Readonly<Record<AssumeRoleFault, StsErrorCode>> = {
  accessDenied: 'AccessDenied',
  validation: 'ValidationError',
  malformedPolicy: 'MalformedPolicyDocument',
};
