import type { IdentityClient } from '../core/identity-client.ts';
import { pollQrCode, type QrCodeCallbacks, type QrCodePolling } from './poll-qr-code.ts';
import {
  createQrCode,
  exchangeQrTicket,
  type QrCodeRequest,
  type QrCodeUserInfo,
} from './qr-code-calls.ts';
import { qrCodeTips, type QrCodeTips } from './qr-code-tips.ts';
import { createQrCodeView, type BoxSize } from './qr-code-view.ts';

export interface QrWidgetOptions extends QrCodeRequest, QrCodeCallbacks {
  /** Fetches the whole account if the code does not return its token, and makes it current. */
  readonly autoExchangeUserInfo?: boolean | undefined;
  readonly size?: BoxSize | undefined;
  readonly containerSize?: BoxSize | undefined;
  readonly tips?: Partial<QrCodeTips> | undefined;
  readonly onCodeLoaded?: ((random: string, url: string) => void) | undefined;
  readonly onCodeShow?: ((random: string, url: string) => void) | undefined;
  readonly onCodeLoadFailed?: ((error: unknown) => void) | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** Shows a QR code with its states and retry buttons, and polls it until its final state. */
export function startQrWidget(
  client: IdentityClient,
  domId: string,
  options: QrWidgetOptions,
): QrCodePolling {
  const tips = qrCodeTips(client.options.lang, options.tips);
  const view = createQrCodeView(domId, options.size, options.containerSize);
  let polling: QrCodePolling | undefined;
  let round = 0;

  const retry = (): void => {
    options.onRetry?.();
    void begin();
  };
  const begin = async (): Promise<void> => {
    round += 1;
    const own = round;
    polling?.stop();
    view.showSpinner();
    try {
      const code = await createQrCode(client, options);
      if (own !== round) return;
      options.onCodeLoaded?.(code.random, code.url);
      await view.showCode(code, tips.title);
      if (own !== round) return;
      options.onCodeShow?.(code.random, code.url);
      polling = pollQrCode(client, code.random, callbacks);
    } catch (error) {
      if (own !== round) return;
      options.onCodeLoadFailed?.(error);
      view.showFailure(messageOf(error), tips.retry, retry);
    }
  };
  const callbacks: QrCodeCallbacks = {
    ...options,
    onScanned: (userInfo) => {
      view.showScanned({
        title: tips.middleTitle,
        succeed: tips.succeed,
        nickname: typeof userInfo.nickname === 'string' ? userInfo.nickname : undefined,
        again: tips.referText,
        onAgain: retry,
      });
      options.onScanned?.(userInfo);
    },
    onSuccess: (userInfo, ticket) => {
      view.showSuccess(tips.succeed);
      void finish(client, options, userInfo, ticket);
    },
    onExpired: () => {
      view.showExpired(tips.expired, () => void begin());
      options.onExpired?.();
    },
    onCancel: () => {
      void begin();
      options.onCancel?.();
    },
    onError: (error) => options.onError?.(messageOf(error)),
  };
  void begin();
  return {
    stop: () => {
      round += 1;
      polling?.stop();
    },
  };
}

async function finish(
  client: IdentityClient,
  options: QrWidgetOptions,
  userInfo: QrCodeUserInfo,
  ticket: string,
): Promise<void> {
  if (!options.autoExchangeUserInfo || userInfo.token) {
    options.onSuccess?.(userInfo, ticket);
    return;
  }
  try {
    const user = await exchangeQrTicket(client, ticket);
    client.session.setUser(user);
    options.onSuccess?.({ ...user } as QrCodeUserInfo, ticket);
  } catch (error) {
    options.onError?.(messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error ?? '');
}
