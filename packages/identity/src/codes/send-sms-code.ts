import { z } from 'zod';
import type { StoredPurpose } from './code-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { requireRegistration } from '../registration/registration-policy.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { chooseDelivery } from './choose-delivery.ts';

/** Purpose of a text message by scene (docs/design/sign-in.md, section 3, "Scene types"). */
const purposeOfScene = {
  login: 'login',
  register: 'register',
  reset: 'reset-password',
  bind: 'bind-phone',
  unbind: 'unbind-phone',
  'mfa-bind': 'bind-mfa',
  'mfa-verify': 'verify-mfa',
  'mfa-unbind': 'unbind-mfa',
  'complete-phone': 'complete-information',
} as const satisfies Record<string, StoredPurpose>;

const scenes = Object.keys(purposeOfScene) as (keyof typeof purposeOfScene)[];

export const smsRequestSchema = z.object({
  phone: z.string().max(64),
  phoneCountryCode: z.string().max(8).nullish(),
  scene: z
    .string()
    .transform((scene) => scene.toLowerCase().replaceAll('_', '-'))
    .pipe(z.enum(scenes))
    .nullish(),
});

/**
 * Sends a code by text message. Without a scene, it is valid for all purposes of this number.
 * @throws ProviderError userDoesNotExist, userNotAuthorized, userExists, tooManyRequests
 */
export async function sendSmsCode(
  context: ProviderContext,
  { phone, phoneCountryCode, scene }: z.output<typeof smsRequestSchema>,
  caller: Caller,
): Promise<void> {
  const purpose = scene ? purposeOfScene[scene] : 'any';
  const { phoneE164 } = context.users.readPhone(phone, phoneCountryCode);
  if (purpose === 'register') {
    requireRegistration(context.settings, caller.application, undefined);
  }
  const delivery = await chooseDelivery(context, purpose, ['phone', phoneE164]);
  await context.codes.send({ channel: 'sms', to: phoneE164, purpose, ...delivery }, caller);
}
