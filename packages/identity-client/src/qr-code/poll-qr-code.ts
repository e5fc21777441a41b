import type { IdentityClient } from '../core/identity-client.ts';
import { QrCodeState, type QrCodeStatus, type QrCodeUserInfo } from './qr-code-calls.ts';
import { watchQrCode } from './watch-qr-code.ts';

export interface QrCodePolling {
  stop(): void;
}

export interface QrCodeCallbacks {
  readonly interval?: number | undefined;
  readonly onStart?: ((polling: QrCodePolling) => void) | undefined;
  readonly onResult?: ((status: QrCodeStatus) => void) | undefined;
  readonly onScanned?: ((userInfo: QrCodeUserInfo) => void) | undefined;
  readonly onSuccess?: ((userInfo: QrCodeUserInfo, ticket: string) => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly onExpired?: (() => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly onMfa?:
    | ((code: number | undefined, message: string | undefined, data: unknown) => void)
    | undefined;
  readonly onAuthFlow?: ((flow: unknown) => void) | undefined;
}

/** Polls a QR code and calls the callbacks. Ends when the state is final or a request fails. */
export function pollQrCode(
  client: IdentityClient,
  random: string,
  callbacks: QrCodeCallbacks = {},
): QrCodePolling {
  const stopper = new AbortController();
  const polling: QrCodePolling = { stop: () => stopper.abort() };
  void run(client, random, callbacks, { polling, signal: stopper.signal });
  return polling;
}

async function run(
  client: IdentityClient,
  random: string,
  callbacks: QrCodeCallbacks,
  { polling, signal }: { readonly polling: QrCodePolling; readonly signal: AbortSignal },
): Promise<void> {
  let wasScanned = false;
  try {
    // Return the handle to the caller before the first callback.
    await Promise.resolve();
    if (!signal.aborted) callbacks.onStart?.(polling);
    for await (const status of watchQrCode(client, random, {
      interval: callbacks.interval,
      signal,
    })) {
      callbacks.onResult?.(status);
      if (signal.aborted) return;
      if (status.status === QrCodeState.SCANNED) {
        if (!wasScanned) callbacks.onScanned?.(status.userInfo ?? {});
        wasScanned = true;
      } else callBack(status, callbacks);
    }
  } catch (error) {
    if (!signal.aborted) callbacks.onError?.(error);
  }
}

function callBack(status: QrCodeStatus, callbacks: QrCodeCallbacks): void {
  const { scannedResult } = status;
  switch (status.status) {
    case QrCodeState.SUCCESS:
      return callbacks.onSuccess?.(status.userInfo ?? {}, status.ticket ?? '');
    case QrCodeState.CANCELLED:
      return callbacks.onCancel?.();
    case QrCodeState.EXPIRED:
      return callbacks.onExpired?.();
    case QrCodeState.ERROR:
      return callbacks.onError?.(scannedResult?.errmsg);
    case QrCodeState.AUTH_FLOW:
      callbacks.onMfa?.(scannedResult?.code, scannedResult?.message, scannedResult?.data);
      return callbacks.onAuthFlow?.(scannedResult);
    default:
  }
}
