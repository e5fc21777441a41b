import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tellOfChange } from '../own-account/tell-of-change.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { requireUser } from '../provider/wire/require-user.ts';
import { success } from '../provider/wire/envelope.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { attempt, completeSecondStep, mfaCallerOf, requireOffered } from './mfa-caller.ts';
import { mfaRefusals } from './mfa-refusals.ts';
import { requireBindable } from './require-bindable.ts';
import { createTotps } from './totp.ts';
import type { StoredTotp } from './totp-store.ts';

const text = z.string().min(1).max(128);
const associateSchema = z.object({ authenticator_type: text.default('totp') });
const confirmSchema = associateSchema.extend({ totp: text });
const verifySchema = z.object({ totp: text });
const recoverySchema = z.object({ recoveryCode: text });
const listSchema = z.object({ type: text.default('totp') });

/** Authenticator apps: `/api/v2/mfa/totp/…` and `/api/v2/mfa/authenticator` (identity-sdk.md, section 7). */
export function registerTotpRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { signIns } = context;
  const totps = createTotps(context);
  app.get('/api/v2/mfa/authenticator', async (request) => {
    requireTotp(listSchema.parse(request.query).type);
    const { user } = await mfaCallerOf(context, request);
    return success((await totps.list(user.id)).map(toWireAuthenticator));
  });
  app.post('/api/v2/mfa/totp/associate', async (request) => {
    requireTotp(associateSchema.parse(request.body ?? {}).authenticator_type);
    const caller = await mfaCallerOf(context, request);
    await requireBindable(context, caller);
    return success(await totps.associate(caller.user));
  });
  app.post('/api/v2/mfa/totp/associate/confirm', async (request) => {
    const { authenticator_type: type, totp } = confirmSchema.parse(request.body);
    requireTotp(type);
    const caller = await mfaCallerOf(context, request);
    await requireBindable(context, caller);
    const isSpent = caller.ticket === undefined;
    await attempt(context, caller, () =>
      totps.confirm(caller.user.id, totp, isSpent, (client) =>
        signIns.writeChange(client, caller.user, caller, 'an authenticator app was added'),
      ),
    );
    await tellOfChange(context, { what: 'second-step-added', before: caller.user }, caller);
    return success();
  });
  app.delete('/api/v2/mfa/totp/associate', async (request) => {
    const caller = await requireUser(context, request);
    await totps.remove(caller.user.id, (client) =>
      signIns.writeChange(client, caller.user, caller, 'the authenticator app was deleted'),
    );
    await tellOfChange(context, { what: 'second-step-removed', before: caller.user }, caller);
    return success();
  });
  app.post('/api/v2/mfa/totp/verify', async (request) => {
    const { totp } = verifySchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    requireOffered(caller, 'OTP');
    await attempt(context, caller, () => totps.verify(caller.user.id, totp));
    return success(await completeSecondStep(context, caller, 'OTP'));
  });
  app.post('/api/v2/mfa/totp/recovery', async (request) => {
    const { recoveryCode } = recoverySchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    requireOffered(caller, 'OTP');
    await attempt(context, caller, () =>
      totps.recover(caller.user.id, recoveryCode, (client) =>
        signIns.writeChange(client, caller.user, caller, 'the recovery code was used'),
      ),
    );
    await tellOfChange(context, { what: 'recovery-code-used', before: caller.user }, caller);
    return success(await completeSecondStep(context, caller, 'RECOVERY'));
  });
}

function requireTotp(type: string): void {
  if (type !== 'totp') throw new ProviderError(mfaRefusals.unknownAuthenticator);
}

/**
 * The secret and recovery code are returned once, when an app is associated; later, the fields are
 * empty.
 */
function toWireAuthenticator({ id, userId, enabled, createdAt, modifiedAt }: StoredTotp): object {
  return {
    ...{ id, userId, enable: enabled, authenticatorType: 'totp', secret: '', recoveryCode: '' },
    createdAt: createdAt.toISOString(),
    updatedAt: modifiedAt.toISOString(),
  };
}
