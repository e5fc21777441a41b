import { MfaAuthenticationClient } from './mfa-authentication-client.ts';
import { ProtocolMethods } from './protocol-methods.ts';
import { QrCodeAuthenticationClient } from './qr-code-authentication-client.ts';
import type { AuthenticationClientOptions } from './shell-client.ts';
import {
  BrowserFingerprintClient,
  EventAuthenticationClient,
  PrincipalAuthenticationClient,
} from './small-clients.ts';
import { EnterpriseAuthenticationClient, SocialAuthenticationClient } from './window-clients.ts';

/**
 * All calls in one object, under the names of `authing-js-sdk`. New code should use the functions
 * instead, so that a bundler includes only what is called.
 */
export class AuthenticationClient extends ProtocolMethods {
  readonly wxqrcode: QrCodeAuthenticationClient;
  readonly qrcode: QrCodeAuthenticationClient;
  readonly wechatmpqrcode: QrCodeAuthenticationClient;
  readonly mfa: MfaAuthenticationClient;
  readonly social: SocialAuthenticationClient;
  readonly enterprise: EnterpriseAuthenticationClient;
  readonly principal: PrincipalAuthenticationClient;
  readonly event: EventAuthenticationClient;
  readonly browserFingerprint: BrowserFingerprintClient;

  constructor(options: AuthenticationClientOptions) {
    super(options);
    const own = options.httpClient && this.httpClient;
    const parts = [this.options, this.tokenProvider, own] as const;
    this.wxqrcode = new QrCodeAuthenticationClient(...parts, 'WXAPP_AUTH');
    this.qrcode = new QrCodeAuthenticationClient(...parts, 'APP_AUTH');
    this.wechatmpqrcode = new QrCodeAuthenticationClient(...parts, 'WECHATMP_AUTH');
    this.mfa = new MfaAuthenticationClient(...parts);
    this.social = new SocialAuthenticationClient(...parts);
    this.enterprise = new EnterpriseAuthenticationClient(...parts);
    this.principal = new PrincipalAuthenticationClient(...parts);
    this.event = new EventAuthenticationClient(...parts);
    this.browserFingerprint = new BrowserFingerprintClient(this.options, own, this.tokenProvider);
  }
}
