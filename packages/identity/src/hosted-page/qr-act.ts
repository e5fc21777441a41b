import type { ProviderContext } from '../provider/provider-context.ts';
import { createQrCodes, qrPictureUrl } from '../qr-login/qr-codes.ts';
import { QrState } from '../qr-login/qr-state.ts';
import { makeQrCode, signInByQrCode } from '../qr-login/sign-in-by-qr-code.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import type { Act } from './act-schema.ts';
import type { ShownQrCode } from './page-state.ts';

/** Number of automatic renewals before the user must confirm presence. */
const MADE_BY_ITSELF = 5;

/** A code for this page. @throws ProviderError tooManyRequests */
export async function showQrCode(
  context: ProviderContext,
  caller: Caller,
  round = 0,
): Promise<ShownQrCode> {
  const asked = { scene: 'APP_AUTH', withCustomData: false } as const;
  const { random, scan } = await makeQrCode(context, createQrCodes(context), asked, caller);
  return shown(context, { random, scan, round });
}

export type QrOutcome =
  | { readonly signedIn: SignedIn }
  /** Undefined if the user seems to be absent; no further code is created. */
  | { readonly qr: ShownQrCode | undefined };

/**
 * Checks the state of the code, and signs in the user who confirmed it.
 * @throws ProviderError why the phone's confirmation did not sign in: with `mfaToken` if a second
 * factor is required
 */
export async function followQrCode(
  context: ProviderContext,
  { random, round, scan }: Act,
  caller: Caller,
): Promise<QrOutcome> {
  const codes = createQrCodes(context);
  const { scannedResult, status, ticket, userInfo } = await codes.check(random);
  switch (status) {
    case QrState.waiting:
    case QrState.scanned:
      return { qr: shown(context, { random, scan, round }, userInfo?.nickname ?? undefined) };
    case QrState.authorized:
      return { signedIn: await signInByQrCode(context, codes, ticket ?? '', caller) };
    case QrState.cancelled:
    case QrState.expired:
      return {
        qr: round < MADE_BY_ITSELF ? await showQrCode(context, caller, round + 1) : undefined,
      };
    case QrState.secondStep:
    case QrState.failed: {
      const { code = 0, data, message = '' } = scannedResult ?? {};
      throw new ProviderError({ code, en: message, zh: message }, data);
    }
  }
}

function shown(
  context: Pick<ProviderContext, 'settings'>,
  { random, round, scan }: Pick<Act, 'random' | 'round' | 'scan'>,
  nickname?: string,
): ShownQrCode {
  const checkUrl = `${context.settings.baseUrl}/api/v2/qrcode/check?random=${random}`;
  return { random, scan, round, pictureUrl: qrPictureUrl(context, scan), checkUrl, nickname };
}
