import type { RateLimitRule } from '../../user-pool/rate-limits.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { Caller } from '../wire/caller.ts';
import { ProviderError } from '../wire/provider-error.ts';
import { refusals } from '../wire/refusals.ts';
import type { QrScene } from './qr-code-store.ts';
import type { QrCodes } from './qr-codes.ts';
import { qrRefusals } from './qr-refusals.ts';

const rules = {
  make: { name: 'provider-qr-make', hits: 300, windowMs: 15 * 60_000 },
  wrong: { name: 'provider-qr-wrong', hits: 60, windowMs: 15 * 60_000 },
} as const satisfies Record<string, RateLimitRule>;

/** Sign-in specification, section 3, "Login methods". */
const methodOf = {
  APP_AUTH: 'app-qrcode',
  WXAPP_AUTH: 'wechat-miniprogram-qrcode',
  WECHATMP_AUTH: 'wechatmp-qrcode',
} as const;

/** What the one who asks for a code says of it. */
export interface AskedQrCode {
  readonly scene: QrScene;
  readonly withCustomData: boolean;
}

/** A code for the caller's browser. @throws ProviderError tooManyRequests */
export async function makeQrCode(
  { limits }: Pick<ProviderContext, 'limits'>,
  codes: QrCodes,
  asked: AskedQrCode,
  { address, application, userAgent }: Caller,
): Promise<{ readonly random: string; readonly scan: string }> {
  await hit(limits, rules.make, address);
  return codes.create({ ...asked, appId: application.appId, address, userAgent });
}

/** Signs in whoever confirmed on the phone. @throws ProviderError ticketHasEnded, tooManyRequests */
export async function signInByQrCode(
  { limits, signIns, users }: Pick<ProviderContext, 'limits' | 'signIns' | 'users'>,
  codes: QrCodes,
  ticket: string,
  caller: Caller,
): Promise<SignedIn> {
  await hit(limits, rules.wrong, caller.address);
  const code = await codes.exchange(ticket, caller.application.appId);
  await limits.undo(rules.wrong, caller.address);
  const user = await users.find(code.userId);
  if (user === undefined) throw new ProviderError(qrRefusals.ticketHasEnded);
  // Whether a second step is needed was asked when the phone confirmed.
  const step = { method: methodOf[code.scene], isSecondStep: true };
  return signIns.complete(user, caller, step);
}

async function hit(
  limits: ProviderContext['limits'],
  rule: RateLimitRule,
  address: string,
): Promise<void> {
  const waitMs = await limits.hit(rule, address);
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
}
