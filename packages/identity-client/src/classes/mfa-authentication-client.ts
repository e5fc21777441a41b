import type { Done } from '../accounts/link-accounts.ts';
import type { IdentityClient } from '../core/identity-client.ts';
import type { IdentityClientOptions } from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import {
  isContactBindable,
  verifyEmailStep,
  verifySmsStep,
  type EmailStep,
  type SmsStep,
} from '../mfa/code-step.ts';
import {
  associateFaceByBlob,
  associateFaceByLocalFile,
  associateFaceByUrl,
  verifyFace,
} from '../mfa/face.ts';
import {
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
} from '../mfa/totp.ts';
import type { User } from '../profile/user.ts';
import { shellClient, type RequestSender } from './shell-client.ts';

/** Second factor of a sign-in: `mfa` of the main client. */
export class MfaAuthenticationClient {
  readonly #client: IdentityClient;

  constructor(
    options: IdentityClientOptions,
    tokenProvider: SessionStore,
    httpClient?: RequestSender,
  ) {
    this.#client = shellClient(options, tokenProvider, httpClient);
  }

  getMfaAuthenticators(
    options: { type?: string; mfaToken?: string; source?: TotpSource } = {},
  ): Promise<readonly MfaAuthenticator[]> {
    const { type, source, mfaToken } = options;
    return listAuthenticators(this.#client, { authenticatorType: type, source, mfaToken });
  }

  assosicateMfaAuthenticator(options?: TotpInput): Promise<TotpAssociation> {
    return associateTotp(this.#client, options);
  }

  deleteMfaAuthenticator(): Promise<Done> {
    return removeTotp(this.#client);
  }

  confirmAssosicateMfaAuthenticator(options: TotpInput & { totp?: string } = {}): Promise<Done> {
    return confirmTotp(this.#client, options);
  }

  verifyTotpMfa(options: { totp: string; mfaToken: string }): Promise<User> {
    return verifyTotp(this.#client, options);
  }

  verifyAppSmsMfa(options: SmsStep): Promise<User> {
    return verifySmsStep(this.#client, options);
  }

  verifyAppEmailMfa(options: EmailStep): Promise<User> {
    return verifyEmailStep(this.#client, options);
  }

  phoneOrEmailBindable(options: {
    phone?: string;
    email?: string;
    mfaToken: string;
  }): Promise<boolean> {
    return isContactBindable(this.#client, options);
  }

  verifyTotpRecoveryCode(options: { recoveryCode: string; mfaToken: string }): Promise<User> {
    return verifyRecoveryCode(this.#client, options);
  }

  associateFaceByUrl(options: {
    baseFace: string;
    compareFace: string;
    mfaToken?: string;
  }): Promise<User> {
    return associateFaceByUrl(this.#client, options);
  }

  associateFaceByLocalFile(mfaToken?: string): Promise<User> {
    return associateFaceByLocalFile(this.#client, { mfaToken });
  }

  associateFaceByBlob(options: {
    baseFace: Blob;
    compareFace?: Blob;
    mfaToken?: string;
  }): Promise<User> {
    return associateFaceByBlob(this.#client, options);
  }

  verifyFaceMfa(photo: string, mfaToken: string): Promise<User> {
    return verifyFace(this.#client, { photo, mfaToken });
  }
}
