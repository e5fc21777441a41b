import { addressBucket } from '@deviceportal/contract/address-bucket';
import { mayHoldByToken } from '@deviceportal/contract/api-tokens';
import { CLIENT_ID, DEVICE_CODE_GRANT_TYPE, oauthPaths } from '@deviceportal/contract/device-grant';
import { isPermission, type Permission } from '@deviceportal/contract/permissions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';
import type { Logger } from '../../platform/logging.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import type { RequestOrigin } from '../../platform/viewer.ts';
import { REJECTED_TOKENS_QUOTA } from '../authenticate-token.ts';
import { answerOAuthErrors } from './answer-oauth-errors.ts';
import { collectToken } from './collect-token.ts';
import type { DeviceGrantDeps } from './device-grant-deps.ts';
import { OAuthError } from './oauth-error.ts';
import { formOf, readOAuthForms, required } from './read-oauth-forms.ts';
import { requestAuthorization } from './request-authorization.ts';
import { revokeByHolder } from './revoke-by-holder.ts';

/** Requests of one address on one server, beyond which the database is not asked. */
export const AUTHORIZATION_QUOTA = { burst: 20, perSecond: 0.1 } as const;
export const TOKEN_QUOTA = { burst: 120, perSecond: 10 } as const;

const CONCURRENCY = { each: 2, all: 4, waiting: 100, maxWaitMs: 5_000 } as const;
const MOST_PERMISSIONS = 100;

/**
 * `/oauth`: sign-in of applications without a browser, as authorization server of RFC 8628. Apart from `/api/v1`, because
 * OAuth clients send forms and expect the errors of OAuth. Applications are public clients: they have no secret, and the
 * name that they state is not verified.
 */
export function registerDeviceGrantRoutes(
  app: FastifyInstance,
  deps: DeviceGrantDeps & { readonly logger: Logger },
): void {
  app.register(async (scope) => {
    readOAuthForms(scope);
    answerOAuthErrors(scope, deps.logger);
    addMetadata(scope, deps);
    addAuthorization(scope, deps);
    addToken(scope, deps);
    addRevocation(scope, deps);
  });
}

/** RFC 8414. */
function addMetadata(scope: FastifyInstance, { publicUrl }: DeviceGrantDeps): void {
  const { metadata, deviceAuthorization, token, revocation } = oauthPaths;
  scope.get(metadata, () => ({
    issuer: publicUrl,
    device_authorization_endpoint: `${publicUrl}${deviceAuthorization}`,
    token_endpoint: `${publicUrl}${token}`,
    revocation_endpoint: `${publicUrl}${revocation}`,
    grant_types_supported: [DEVICE_CODE_GRANT_TYPE],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  }));
}

function addAuthorization(scope: FastifyInstance, deps: DeviceGrantDeps): void {
  const buckets = new TokenBuckets(AUTHORIZATION_QUOTA);
  const limit = new ConcurrencyLimit(CONCURRENCY);
  scope.post(oauthPaths.deviceAuthorization, async (request) => {
    const form = formOf(request);
    const clientId = clientIdOf(form);
    const permissions = permissionsOf(form.get('scope') ?? '');
    const bucket = addressBucket(request.ip);
    if (!buckets.of(bucket).take()) throw tooMany('temporarily_unavailable');
    return limit.run(bucket, () =>
      requestAuthorization(deps, { clientId, permissions, address: request.ip }),
    );
  });
}

function addToken(scope: FastifyInstance, deps: DeviceGrantDeps): void {
  const buckets = new TokenBuckets(TOKEN_QUOTA);
  scope.post(oauthPaths.token, async (request) => {
    const form = formOf(request);
    if (required(form, 'grant_type') !== DEVICE_CODE_GRANT_TYPE) {
      throw new OAuthError('unsupported_grant_type', 'Only device codes are accepted.');
    }
    const asked = { deviceCode: required(form, 'device_code'), clientId: clientIdOf(form) };
    if (!buckets.of(addressBucket(request.ip)).take()) throw tooMany('slow_down');
    return collectToken(deps, asked, originOf(request));
  });
}

function addRevocation(scope: FastifyInstance, deps: DeviceGrantDeps): void {
  const unknown = new TokenBuckets(REJECTED_TOKENS_QUOTA);
  scope.post(oauthPaths.revocation, async (request) => {
    const token = required(formOf(request), 'token');
    const isRevoked = await revokeByHolder(deps, token, originOf(request));
    // The answer is the same for a token that does not exist (RFC 7009, section 2.2).
    if (!isRevoked && !unknown.of(addressBucket(request.ip)).take()) {
      throw tooMany('temporarily_unavailable');
    }
    return {};
  });
}

function clientIdOf(form: URLSearchParams): string {
  const clientId = required(form, 'client_id');
  if (!CLIENT_ID.test(clientId)) {
    throw new OAuthError('invalid_request', 'client_id must be a name of up to 64 characters.');
  }
  return clientId;
}

function permissionsOf(scope: string): readonly Permission[] {
  const names = [...new Set(scope.split(' ').filter((name) => name !== ''))];
  const permissions = names.filter(isPermission).filter(mayHoldByToken);
  if (permissions.length < names.length || names.length > MOST_PERMISSIONS) {
    throw new OAuthError('invalid_scope', 'scope must list permissions of API tokens.');
  }
  return permissions;
}

const originOf = ({ id, ip, headers }: FastifyRequest): RequestOrigin => ({
  requestId: id,
  address: ip,
  userAgent: headers['user-agent'],
});

const tooMany = (code: 'temporarily_unavailable' | 'slow_down'): OAuthError =>
  new OAuthError(code, 'Too many requests. Try again later.', { status: 429 });
