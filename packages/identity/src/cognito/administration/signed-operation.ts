import type { z } from 'zod';
import { accessDeniedText, authorize } from '../roles/authorize.ts';
import { partitionOf } from '../roles/role-arn.ts';
import {
  authenticateCall,
  TooManyCallsError,
  type AuthenticateContext,
} from '../signature/authenticate-call.ts';
import type { Principal } from '../signature/principal.ts';
import { SignatureError, type SignatureFault } from '../signature/signature-error.ts';
import type { IdentitySettings } from '../settings.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import { parseBody, type Operation } from '../wire/operation.ts';
import { tooManyRequests, WireError, type WireErrorName } from '../wire/wire-error.ts';
import type { ActOrigin } from '../../administration/administration-act.ts';

export interface SignedOperationContext extends AuthenticateContext {
  readonly settings: IdentitySettings;
}

const SERVICE = 'cognito-idp';

/**
 * Puts in front of an operation what a hosted pool does, in its order: signature, input, policy, pool.
 * @param name of the operation; the policy's action is `cognito-idp:<name>`
 */
export function signedOperation<Input extends { readonly UserPoolId: string }>(
  context: SignedOperationContext,
  name: string,
  wanted: {
    readonly schema: z.ZodType<Input>;
    readonly run: (input: Input, origin: ActOrigin) => Promise<object | undefined>;
  },
): Operation {
  return async (body, call) => {
    const principal = await authenticate(context, call);
    const input = parseBody(wanted.schema, body);
    requireAllowed(context, principal, { action: `${SERVICE}:${name}`, input, call });
    if (input.UserPoolId !== context.settings.userPoolId) {
      throw new WireError(
        'ResourceNotFoundException',
        `User pool ${input.UserPoolId} does not exist.`,
      );
    }
    return wanted.run(input, actOriginOf(principal, call));
  };
}

/**
 * Actor of an action in its record: the user of temporary credentials, otherwise the application's
 * key.
 */
export function actOriginOf(
  principal: Principal,
  call: { readonly address: string; readonly requestId: string },
): ActOrigin {
  const { person, name, accessKeyId } = principal;
  return {
    actor:
      person === undefined
        ? { kind: 'accessKey', id: accessKeyId, name }
        : { kind: 'person', id: person.sub, name: person.username },
    address: call.address,
    requestId: call.requestId,
  };
}

async function authenticate(
  context: SignedOperationContext,
  { request }: CallOrigin,
): Promise<Principal> {
  const scope = { service: SERVICE, regions: [context.settings.region] };
  try {
    return await authenticateCall(context, request, scope);
  } catch (error) {
    if (error instanceof TooManyCallsError) throw tooManyRequests(error.retryAfterMs);
    if (!(error instanceof SignatureError)) throw error;
    throw new WireError(errorNames[error.fault], error.message);
  }
}

/** The names that the AWS SDKs know; on `InvalidSignatureException` they correct their clock and try again. */
const errorNames: Readonly<Record<SignatureFault, WireErrorName>> = {
  missing: 'MissingAuthenticationTokenException',
  incomplete: 'IncompleteSignatureException',
  unknownKey: 'UnrecognizedClientException',
  mismatch: 'InvalidSignatureException',
  notYetValid: 'InvalidSignatureException',
  stale: 'InvalidSignatureException',
  wrongScope: 'InvalidSignatureException',
  credentialsExpired: 'ExpiredTokenException',
};

function requireAllowed(
  { settings, clock }: SignedOperationContext,
  principal: Principal,
  asked: {
    readonly action: string;
    readonly input: { readonly UserPoolId: string };
    readonly call: CallOrigin;
  },
): void {
  const { region, accountId } = settings;
  const pool = `userpool/${asked.input.UserPoolId}`;
  const resource = `arn:${partitionOf(region)}:${SERVICE}:${region}:${accountId}:${pool}`;
  const facts = { nowMs: clock.now(), address: asked.call.address };
  const request = { action: asked.action, resource };
  const decision = authorize(principal, { ...request, facts }, settings);
  if (decision !== 'allowed') {
    throw new WireError('AccessDeniedException', accessDeniedText(principal, request, decision));
  }
}
