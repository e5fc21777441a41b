export type { CallOptions, IdentityClient } from './core/identity-client.ts';
export { createIdentityClient } from './core/create-identity-client.ts';
export {
  IdentityError,
  type IdentityErrorDetails,
  type ErrorSource,
  type LocalErrorCode,
} from './core/identity-error.ts';
export type {
  ClientAuthentication,
  EncryptFunction,
  Encryption,
  HeaderNames,
  IdentityClientOptions,
  ResolvedOptions,
  SignInProtocol,
} from './core/options.ts';
export type { Clock } from './core/clock.ts';
export type { Language } from './core/language.ts';
export type { SessionStore } from './core/session-store.ts';
export { createMemoryStorage, type KeyValueStorage } from './core/storage.ts';
export type { GraphqlCall } from './core/calls.ts';
export type { GraphqlOperation } from './core/graphql-operation.ts';
export type { RawCall } from './core/calls.ts';
export type { RestCall } from './core/calls.ts';

export * from './registration/register.ts';
export { EmailScene } from './codes/email-scene.ts';
export { SceneType } from './codes/scene-type.ts';
export * from './codes/send-code.ts';
export * from './login/login-by-code.ts';
export * from './login/login-by-password.ts';
export type { SignInExtras } from './login/sign-in-extras.ts';
export * from './directory/login-by-directory.ts';

export * from './profile/change-contact.ts';
export * from './profile/get-current-user.ts';
export * from './profile/is-user-exists.ts';
export * from './profile/update-profile.ts';
export type { User, UserIdentity, UserTextField } from './profile/user.ts';
export { requireUserId } from './profile/require-user-id.ts';
export * from './session/session-calls.ts';
export { linkAccount, unlinkAccount, type Done } from './accounts/link-accounts.ts';
export * from './user-values/user-value-calls.ts';
export type { UserDefinedValue, UserValue, UserValueType } from './user-values/user-value.ts';
export * from './organizations/list-departments.ts';
export * from './access/has-role.ts';
export * from './access/list-authorized-resources.ts';
export * from './applications/list-applications.ts';

export * from './password/change-password.ts';
export * from './password/check-password-strength.ts';
export * from './password/security-level.ts';
export { encryptPassword, getPasswordKey } from './encryption/encrypt-password.ts';
export { encryptRsa } from './encryption/rsa/encrypt-rsa.ts';
export { decryptRsa } from './encryption/rsa/decrypt-rsa.ts';
export { signRsa, verifyRsa, type RsaDigest } from './encryption/rsa/sign-rsa.ts';
export {
  DEFAULT_EXPONENT,
  DEFAULT_KEY_BITS,
  generateRsaKeys,
  type RsaKeys,
} from './encryption/rsa/generate-rsa-keys.ts';

export * from './protocols/authorization-flow.ts';
export { buildAuthorizeUrl, type AuthorizeInput } from './protocols/authorize-url.ts';
export * from './protocols/cas-tickets.ts';
export * from './protocols/exchange-tokens.ts';
export * from './protocols/inspect-tokens.ts';
export * from './protocols/logout-url.ts';
export { CODE_VERIFIER_LENGTH, codeChallengeOf, createCodeVerifier } from './protocols/pkce.ts';

export * from './mfa/code-step.ts';
export * from './mfa/face.ts';
export {
  associateTotp,
  confirmTotp,
  listAuthenticators,
  removeTotp,
  verifyRecoveryCode,
  verifyTotp,
  type MfaAuthenticator,
  type TotpAssociation,
  type TotpInput,
  type TotpSource,
  type WithMfaToken,
} from './mfa/totp.ts';
export { beginPasskeyStep, verifyPasskeyRecoveryCode, verifyPasskeyStep } from './mfa/passkey.ts';

export * from './qr-code/qr-code-calls.ts';
export * from './qr-code/poll-qr-code.ts';
export { startQrWidget, type QrWidgetOptions } from './qr-code/start-qr-widget.ts';
export type { QrCodeTips } from './qr-code/qr-code-tips.ts';
export type { BoxSize } from './qr-code/qr-code-view.ts';
export { POLL_MS, watchQrCode } from './qr-code/watch-qr-code.ts';
export * from './social/login-by-social.ts';
export * from './social/social-provider.ts';
export * from './enterprise/enterprise-protocol.ts';
export * from './enterprise/login-by-enterprise.ts';
export type { PopupSize } from './popup/open-popup.ts';

export * from './devices/device-calls.ts';
export * from './devices/device-fingerprint.ts';
export * from './real-name/real-name.ts';
export * from './events/event-channel.ts';
export type { EventSubscriber } from './events/event-socket.ts';
export { choosePhoto } from './uploads/choose-photo.ts';
export * from './uploads/upload-photo.ts';
export * from './enumerations.ts';

export { AuthenticationClient } from './classes/authentication-client.ts';
export { AuthenticationTokenProvider } from './classes/token-provider.ts';
export { GraphqlClient } from './classes/graphql-client.ts';
export { HttpClient, NaiveHttpClient } from './classes/http-clients.ts';
export { MfaAuthenticationClient } from './classes/mfa-authentication-client.ts';
export { QrCodeAuthenticationClient } from './classes/qr-code-authentication-client.ts';
export {
  BaseAuthenticationClient,
  BrowserFingerprintClient,
  EventAuthenticationClient,
  PrincipalAuthenticationClient,
} from './classes/small-clients.ts';
export {
  EnterpriseAuthenticationClient,
  SocialAuthenticationClient,
  type SocialOptions,
  type WindowCallbacks,
} from './classes/window-clients.ts';
export type {
  AuthenticationClientOptions,
  GraphqlSender,
  HttpRequest,
  RequestSender,
} from './classes/shell-client.ts';
