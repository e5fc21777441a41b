import { sql } from 'drizzle-orm';
import { DEVICE_CODE_GRANT_TYPE, oauthPaths } from '@deviceportal/contract/device-grant';
import type { AuthorizationResponse } from '../../src/api-tokens/device-grant/request-authorization.ts';
import type { TokenResponse } from '../../src/api-tokens/device-grant/collect-token.ts';
import type { Database } from '../../src/platform/database/database.ts';

export interface OAuthAnswer<Body = Partial<TokenResponse>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body & { readonly error?: string; readonly error_description?: string };
}

let addresses = 0;
/** An address that no other application of this process has used, so that limits of addresses do not add up. */
export const newAddress = (): string => {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
};

/** An OAuth request as a form, from an address that the server believes. */
export async function sendForm<Body>(
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  address = newAddress(),
): Promise<OAuthAnswer<Body>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: new URLSearchParams(fields),
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as OAuthAnswer<Body>['body'],
  };
}

/** An application that signs in with a device code. Its server must trust 127.0.0.1 as a proxy. */
export class DeviceGrantClient {
  readonly url: string;
  readonly clientId: string;
  readonly address: string;
  readonly codes: AuthorizationResponse;

  private constructor(
    url: string,
    clientId: string,
    address: string,
    codes: AuthorizationResponse,
  ) {
    this.url = url;
    this.clientId = clientId;
    this.address = address;
    this.codes = codes;
  }

  static async start(
    url: string,
    { clientId = 'test-cli', scope = 'devices:read', address = newAddress() } = {},
  ): Promise<DeviceGrantClient> {
    const fields = { client_id: clientId, scope };
    const { deviceAuthorization } = oauthPaths;
    const { body } = await sendForm<AuthorizationResponse>(
      url,
      deviceAuthorization,
      fields,
      address,
    );
    if (body.error !== undefined) throw new Error(JSON.stringify(body));
    return new DeviceGrantClient(url, clientId, address, body);
  }

  ask(over: Readonly<Record<string, string>> = {}): Promise<OAuthAnswer> {
    return sendForm(
      this.url,
      oauthPaths.token,
      {
        grant_type: DEVICE_CODE_GRANT_TYPE,
        device_code: this.codes.device_code,
        client_id: this.clientId,
        ...over,
      },
      this.address,
    );
  }

  /** As `ask`, after the interval. */
  async askLater(database: Pick<Database, 'orm'>): Promise<OAuthAnswer> {
    await database.orm.execute(sql`
      update device_authorization set last_asked_at = last_asked_at - interval '1 hour'
      where user_code = ${this.codes.user_code}`);
    return this.ask();
  }

  /** The input with which a user approves. */
  approval(over: object = {}): object {
    return {
      ...{ userCode: this.codes.user_code, name: 'my laptop', days: 7 },
      ...{ permissions: ['devices:read'], ...over },
    };
  }
}
