import type { IdentityClient } from '../core/identity-client.ts';
import type { IdentityClientOptions } from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import type { User } from '../profile/user.ts';
import { pollQrCode, type QrCodeCallbacks, type QrCodePolling } from '../qr-code/poll-qr-code.ts';
import {
  checkQrCode,
  createQrCode,
  exchangeQrTicket,
  type QrCode,
  type QrCodeRequest,
  type QrCodeScene,
  type QrCodeStatus,
} from '../qr-code/qr-code-calls.ts';
import { startQrWidget, type QrWidgetOptions } from '../qr-code/start-qr-widget.ts';
import { shellClient, type RequestSender } from './shell-client.ts';

/** Sign-in by QR code: `wxqrcode`, `qrcode`, and `wechatmpqrcode` of the main client. */
export class QrCodeAuthenticationClient {
  readonly scene: QrCodeScene;
  readonly #client: IdentityClient;

  constructor(
    options: IdentityClientOptions,
    tokenProvider: SessionStore,
    httpClient: RequestSender | undefined,
    scene: QrCodeScene,
  ) {
    this.scene = scene;
    this.#client = shellClient(options, tokenProvider, httpClient);
  }

  /** Shows a QR code in the element and polls it until its final state. */
  async startScanning(domId: string, options: Omit<QrWidgetOptions, 'scene'> = {}): Promise<void> {
    startQrWidget(this.#client, domId, { ...options, scene: this.scene });
  }

  geneCode(options: Omit<QrCodeRequest, 'scene'> = {}): Promise<QrCode> {
    return createQrCode(this.#client, { ...options, scene: this.scene });
  }

  checkStatus(random: string): Promise<QrCodeStatus> {
    return checkQrCode(this.#client, random);
  }

  exchangeUserInfo(ticket: string): Promise<User> {
    return exchangeQrTicket(this.#client, ticket);
  }

  /** @returns the handle for {@link stopPolling} */
  async startPolling(random: string, options: QrCodeCallbacks = {}): Promise<QrCodePolling> {
    return pollQrCode(this.#client, random, options);
  }

  async stopPolling(polling: QrCodePolling | null | undefined): Promise<void> {
    polling?.stop();
  }
}
