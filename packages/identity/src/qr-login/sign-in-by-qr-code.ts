import { inTransaction } from '../database/in-transaction.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import { connectionRefusals } from '../connections/connection-refusals.ts';
import { keepCustomValues } from '../custom-values/change-custom-values.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { QrScene } from './qr-code-store.ts';
import type { QrCodes } from './qr-codes.ts';
import { qrRefusals } from './qr-refusals.ts';

const rules = {
  make: { name: 'provider-qr-make', hits: 300, windowMs: 15 * 60_000 },
  wrong: { name: 'provider-qr-wrong', hits: 60, windowMs: 15 * 60_000 },
} as const satisfies Record<string, RateLimitRule>;

/** docs/design/sign-in.md, section 3, "Login methods". */
const methodOf = {
  APP_AUTH: 'app-qrcode',
  WXAPP_AUTH: 'wechat-miniprogram-qrcode',
  WECHATMP_AUTH: 'wechatmp-qrcode',
} as const;

/** Options of a requested code. */
export interface AskedQrCode {
  readonly scene: QrScene;
  readonly withCustomData: boolean;
  /** Values stored with the account of the user who confirms it. */
  readonly customData?: readonly CustomValue[];
  /** The connection whose people alone may confirm it. */
  readonly connectionId?: string | undefined;
}

/** A code for the caller's browser. @throws ProviderError unknownConnection, tooManyRequests */
export async function makeQrCode(
  { limits, settings }: Pick<ProviderContext, 'limits' | 'settings'>,
  codes: QrCodes,
  { connectionId, customData = [], ...asked }: AskedQrCode,
  { address, application, userAgent }: Caller,
): Promise<{ readonly random: string; readonly scan: string }> {
  await hit(limits, rules.make, address);
  const isKnown = settings.connections.some(({ identifier }) => identifier === connectionId);
  if (connectionId !== undefined && !isKnown) {
    throw new ProviderError(connectionRefusals.unknownConnection);
  }
  const more = { customData, connectionId: connectionId ?? null };
  return codes.create({ ...asked, ...more, appId: application.appId, address, userAgent });
}

/**
 * Signs in the user who confirmed on the phone, and stores the code's values with the account; if
 * those are too many, the ticket is not used up.
 * @throws ProviderError ticketHasEnded, tooManyRequests, and the errors of `keepCustomValues`
 */
export async function signInByQrCode(
  context: ProviderContext,
  codes: QrCodes,
  ticket: string,
  caller: Caller,
): Promise<SignedIn & { readonly withCustomData: boolean }> {
  const { db, limits, signIns, users } = context;
  await hit(limits, rules.wrong, caller.address);
  const { code, user } = await inTransaction(db, async (client) => {
    const found = await codes.exchange(ticket, caller.application.appId, client);
    const owner = await users.find(found.userId, client);
    if (owner === undefined) throw new ProviderError(qrRefusals.ticketHasEnded);
    await keepCustomValues(context, client, { user: owner, caller }, found.customData);
    return { code: found, user: owner };
  });
  await limits.undo(rules.wrong, caller.address);
  // Whether a second step is needed was asked when the phone confirmed.
  const step = { method: methodOf[code.scene], isSecondStep: true };
  const signedIn = await signIns.complete(user, caller, step);
  return { ...signedIn, withCustomData: code.withCustomData };
}

async function hit(
  limits: ProviderContext['limits'],
  rule: RateLimitRule,
  address: string,
): Promise<void> {
  const waitMs = await limits.hit(rule, address);
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
}
