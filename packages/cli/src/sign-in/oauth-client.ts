import { sendRequest, type Answer } from '../api/send-request.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { plainText } from '../output/plain-text.ts';

const CLIENT_ID = 'deviceportal-cli';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 8628, section 3.2. */
export interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export interface OAuthResult {
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly error?: string;
  readonly error_description?: string;
}

interface Endpoints {
  readonly device_authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
}

/** The OAuth endpoints of a portal. */
export class OAuthClient {
  readonly #endpoints: Endpoints;

  private constructor(endpoints: Endpoints) {
    this.#endpoints = endpoints;
  }

  /** Reads the endpoints (RFC 8414). @throws CliError if the address is not one of a portal */
  static async discover(portalUrl: string): Promise<OAuthClient> {
    const { status, body } = await sendRequest({
      url: `${portalUrl}/.well-known/oauth-authorization-server`,
      ...{ init: { headers: { accept: 'application/json' } }, isRepeatable: true },
    });
    const { device_authorization_endpoint, token_endpoint, revocation_endpoint } = (body ??
      {}) as Partial<Endpoints>;
    const paths = [device_authorization_endpoint, token_endpoint, revocation_endpoint].map((url) =>
      url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined,
    );
    const [device, token, revocation] = paths;
    if (status !== 200 || device === undefined || token === undefined || revocation === undefined) {
      throw new CliError(`There is no Device Portal with sign-in by code at ${portalUrl}.`, {
        exitCode: exitCodes.unavailable,
      });
    }
    // A portal cannot send codes and tokens to another host.
    return new OAuthClient({
      device_authorization_endpoint: `${portalUrl}${device}`,
      token_endpoint: `${portalUrl}${token}`,
      revocation_endpoint: `${portalUrl}${revocation}`,
    });
  }

  /** @throws CliError if no sign-in can be started now */
  async start(permissions: readonly string[]): Promise<Codes> {
    const { status, body } = await this.#post(this.#endpoints.device_authorization_endpoint, {
      ...{ client_id: CLIENT_ID, scope: permissions.join(' ') },
    });
    if (status === 200) return body as Codes;
    const { error_description: reason = `status ${status}` } = (body ?? {}) as OAuthResult;
    throw new CliError(`The sign-in cannot be started: ${plainText(reason)}`, {
      exitCode: status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.rejected,
    });
  }

  async ask(deviceCode: string): Promise<OAuthResult> {
    const { status, body } = await this.#post(this.#endpoints.token_endpoint, {
      ...{ grant_type: DEVICE_CODE, device_code: deviceCode, client_id: CLIENT_ID },
    });
    return (body as OAuthResult | undefined) ?? { error: `status ${status}` };
  }

  /** Ends a token (RFC 7009); also succeeds for one that has ended. */
  async revoke(token: string): Promise<void> {
    const { status } = await this.#post(this.#endpoints.revocation_endpoint, {
      ...{ token, client_id: CLIENT_ID },
    });
    if (status === 200) return;
    throw new CliError(
      `The token could not be revoked (status ${status}). Revoke it in the portal.`,
      {
        exitCode: exitCodes.unavailable,
      },
    );
  }

  #post(url: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    const headers = { accept: 'application/json' };
    const init = { method: 'POST', headers, body: new URLSearchParams(fields) };
    return sendRequest({ ...{ url, init }, isRepeatable: false });
  }
}
