import {
  associateFaceByBlob,
  associateTotp,
  beginPasskeyStep,
  confirmTotp,
  createIdentityClient,
  createMemoryStorage,
  createQrCode,
  exchangeQrTicket,
  loginByAd,
  loginByEnterprise,
  loginByLdap,
  loginBySocial,
  QrCodeState,
  sendEmailCode,
  sendSmsCode,
  uploadFacePhoto,
  verifyEmailStep,
  verifyFace,
  verifyPasskeyRecoveryCode,
  verifyPasskeyStep,
  verifyRecoveryCode,
  verifySmsStep,
  verifyTotp,
  watchQrCode,
  type QrCode,
  type QrCodeStatus,
  type TotpAssociation,
  type User,
} from '@deviceportal/identity-client';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { Language } from '../../i18n/languages.ts';
import { splitPhone } from '../identifier-input.ts';
import type { SignInMethod } from '../sign-in-methods.ts';

/**
 * Sign-in methods other than a code. The provider’s client creates no session; the portal accepts
 * the user itself.
 */
export interface OtherSignIn {
  /**
   * Opens a window. Returns null in the in-app browser of a messenger, where the page itself
   * navigates.
   */
  byProvider(method: SignInMethod, signal: AbortSignal): Promise<User | null>;
  byDirectory(
    directory: 'ldap' | 'ad',
    login: { readonly username: string; readonly password: string },
  ): Promise<User>;
  createQrCode(signal: AbortSignal): Promise<QrCode>;
  watchQrCode(random: string, signal: AbortSignal): AsyncGenerator<QrCodeStatus, void>;
  exchangeQrTicket(ticket: string): Promise<User>;
  verifyTotp(mfaToken: string, totp: string): Promise<User>;
  verifyRecoveryCode(mfaToken: string, recoveryCode: string): Promise<User>;
  /** Sets up an app during a sign-in. Its first code also completes the sign-in. */
  associateTotp(mfaToken: string): Promise<TotpAssociation>;
  confirmTotp(mfaToken: string, totp: string): Promise<unknown>;
  sendStepCode(method: 'SMS' | 'EMAIL', contact: string): Promise<unknown>;
  verifyContact(
    method: 'SMS' | 'EMAIL',
    step: { readonly mfaToken: string; readonly contact: string; readonly code: string },
  ): Promise<User>;
  associateFace(mfaToken: string, photo: Blob): Promise<User>;
  verifyFace(mfaToken: string, photo: Blob): Promise<User>;
  /** `PublicKeyCredentialRequestOptionsJSON`. */
  beginPasskey(mfaToken: string): Promise<Readonly<Record<string, unknown>>>;
  verifyPasskey(mfaToken: string, credential: object): Promise<User>;
  verifyPasskeyRecoveryCode(mfaToken: string, recoveryCode: string): Promise<User>;
}

export { QrCodeState };

export function openOtherSignIn(
  { appId, host }: NonNullable<BrowserConfig['authing']>,
  language: Language,
): OtherSignIn {
  const appHost = new URL(host, location.origin).href;
  const client = createIdentityClient({
    appId,
    appHost,
    // The installation’s own provider also serves its directories.
    ...(host.startsWith('/') && { websocketHost: appHost }),
    storage: createMemoryStorage(),
    lang: language === 'zh-CN' ? 'zh-CN' : 'en-US',
  });
  return {
    byProvider: ({ kind, protocol, identifier }, signal) =>
      kind === 'social'
        ? loginBySocial(client, { provider: identifier }, { signal })
        : loginByEnterprise(client, { protocol, identifier }, { signal }),
    byDirectory: (directory, login) =>
      directory === 'ldap' ? loginByLdap(client, login) : loginByAd(client, login),
    createQrCode: (signal) => createQrCode(client, { scene: 'APP_AUTH' }, { signal }),
    watchQrCode: (random, signal) => watchQrCode(client, random, { signal }),
    exchangeQrTicket: (ticket) => exchangeQrTicket(client, ticket),
    verifyTotp: (mfaToken, totp) => verifyTotp(client, { mfaToken, totp }),
    verifyRecoveryCode: (mfaToken, recoveryCode) =>
      verifyRecoveryCode(client, { mfaToken, recoveryCode }),
    associateTotp: (mfaToken) => associateTotp(client, { mfaToken }),
    confirmTotp: (mfaToken, totp) => confirmTotp(client, { mfaToken, totp }),
    sendStepCode: (method, contact) =>
      method === 'SMS'
        ? sendSmsCode(client, { ...phoneOf(contact), scene: 'mfa-verify' })
        : sendEmailCode(client, { email: contact, scene: 'MFA_VERIFY_CODE' }),
    verifyContact: (method, { code, contact, mfaToken }) =>
      method === 'SMS'
        ? verifySmsStep(client, { ...phoneOf(contact), code, mfaToken })
        : verifyEmailStep(client, { email: contact, code, mfaToken }),
    associateFace: (mfaToken, photo) => associateFaceByBlob(client, { baseFace: photo, mfaToken }),
    beginPasskey: (mfaToken) => beginPasskeyStep(client, { mfaToken }),
    verifyPasskey: (mfaToken, credential) => verifyPasskeyStep(client, { mfaToken, credential }),
    verifyPasskeyRecoveryCode: (mfaToken, recoveryCode) =>
      verifyPasskeyRecoveryCode(client, { mfaToken, recoveryCode }),
    verifyFace: async (mfaToken, photo) =>
      verifyFace(client, { mfaToken, photo: await uploadFacePhoto(client, photo) }),
  };
}

function phoneOf(typed: string): { readonly phone: string; readonly phoneCountryCode?: string } {
  const { countryCode, number } = splitPhone(typed);
  return { phone: number, ...(countryCode !== undefined && { phoneCountryCode: countryCode }) };
}
