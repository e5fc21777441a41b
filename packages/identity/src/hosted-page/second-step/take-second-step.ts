import { tellOfChange } from '../../own-account/tell-of-change.ts';
import type { Faces } from '../../face/faces.ts';
import { faceRefusals } from '../../face/face-refusals.ts';
import { attempt, finishSignIn, requireOffered } from '../../mfa/mfa-caller.ts';
import type { MfaMethod } from '../../mfa/mfa-methods.ts';
import { provePasskey, provePasskeyRecoveryCode } from '../../mfa/passkey-step.ts';
import { readCredential } from '../read-credential.ts';
import { proveEmail, provePhone } from '../../mfa/prove-contact.ts';
import { requireBindable } from '../../mfa/require-bindable.ts';
import { createTotps } from '../../mfa/totp.ts';
import type { ProviderContext } from '../../provider/provider-context.ts';
import type { RecordWith, SignedIn } from '../../sign-in/sign-ins.ts';
import { ProviderError } from '../../provider/wire/provider-error.ts';
import type { Act } from '../act-schema.ts';
import type { SecondStepCaller } from './open-second-step.ts';
import { recipientOf } from './send-step-code.ts';

/**
 * Finishes a sign-in by its second step, or by setting one up; wrong attempts count against the person.
 * @throws ProviderError mfaTokenHasEnded, methodNotOffered, tooManyRequests, and when what was given is not right
 */
export async function takeSecondStep(
  context: ProviderContext,
  faces: Faces,
  caller: SecondStepCaller,
  act: Act,
): Promise<SignedIn> {
  const { method } = act;
  requireOffered(caller, offeredAs(method));
  if (caller.ticket.mayBind) await requireBindable(context, caller);
  await proofs[method](context, faces, caller, act);
  return finishSignIn(context, caller, method === 'PASSKEY_CODE' ? 'RECOVERY' : method);
}

/** Recovery codes belong to what they replace. */
function offeredAs(method: Act['method']): MfaMethod {
  if (method === 'RECOVERY') return 'OTP';
  return method === 'PASSKEY_CODE' ? 'PASSKEY' : method;
}

const ADDED = 'second-step-added';

type Prove = (
  context: ProviderContext,
  faces: Faces,
  caller: SecondStepCaller,
  act: Act,
) => Promise<void>;

const proofs: Readonly<Record<Act['method'], Prove>> = {
  async OTP(context, _faces, caller, { code }) {
    const { ticket, user } = caller;
    const totps = createTotps(context);
    const record = recordOf(context, caller, 'an authenticator app was added');
    await attempt(context, caller, () =>
      ticket.mayBind ? totps.confirm(user.id, code, true, record) : totps.verify(user.id, code),
    );
    if (ticket.mayBind) await tellOfChange(context, { what: ADDED, before: user }, caller);
  },
  async RECOVERY(context, _faces, caller, { code }) {
    const { user } = caller;
    const record = recordOf(context, caller, 'the recovery code was used');
    await attempt(context, caller, () => createTotps(context).recover(user.id, code, record));
    await tellOfChange(context, { what: 'recovery-code-used', before: user }, caller);
  },
  SMS: (context, _faces, caller, { code, contact }) =>
    provePhone(context, caller, {
      ...{ phone: recipientOf(context, caller, { contact, method: 'SMS' }), code },
    }),
  EMAIL: (context, _faces, caller, { code, contact }) =>
    proveEmail(context, caller, {
      ...{ email: recipientOf(context, caller, { contact, method: 'EMAIL' }), code },
    }),
  PASSKEY: (context, _faces, caller, { credential }) =>
    provePasskey(context, caller, readCredential(credential)),
  PASSKEY_CODE: (context, _faces, caller, { code }) =>
    provePasskeyRecoveryCode(context, caller, code),
  async FACE(context, faces, caller, { photo }) {
    const { ticket, user } = caller;
    if (photo === undefined || photo.byteLength === 0) {
      throw new ProviderError(faceRefusals.noPhoto);
    }
    const record = recordOf(context, caller, 'a face was added');
    await attempt(context, caller, () =>
      ticket.mayBind
        ? faces.associate(user.id, [photo, photo], record)
        : faces.verify(user.id, photo),
    );
    if (ticket.mayBind) await tellOfChange(context, { what: ADDED, before: user }, caller);
  },
};

function recordOf(
  { signIns }: Pick<ProviderContext, 'signIns'>,
  caller: SecondStepCaller,
  what: string,
): RecordWith {
  return (client) => signIns.writeChange(client, caller.user, caller, what);
}
