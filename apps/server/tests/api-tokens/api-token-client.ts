import type { NewApiToken } from '@deviceportal/contract/api-tokens';
import type { PublicError } from '@deviceportal/contract/public-api-errors';
import type { AccessFixture } from '../support/access-fixture.ts';

export interface PublicAnswer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly error: PublicError['error'] | undefined;
}

export interface NewTestToken {
  readonly name?: string;
  readonly permissions: readonly string[];
  readonly scope?: object;
  readonly days?: number;
}

/** An application with an API token. */
export class ApiTokenClient {
  readonly #url: string;
  readonly token: string;
  readonly id: string;

  constructor(url: string, { id, token }: Pick<NewApiToken, 'id' | 'token'>) {
    this.#url = url;
    this.id = id;
    this.token = token;
  }

  static async personal(
    url: string,
    owner: AccessFixture,
    { name = 'a script', ...input }: NewTestToken,
  ): Promise<ApiTokenClient> {
    const made = await owner.done<NewApiToken>('apiTokens.createPersonal', { name, ...input });
    return new ApiTokenClient(url, made);
  }

  static async service(
    url: string,
    admin: AccessFixture,
    { name = 'a service', roles }: { readonly name?: string; readonly roles: readonly string[] },
  ): Promise<ApiTokenClient> {
    const roleIds = await Promise.all(roles.map(async (role) => (await admin.role(role)).id));
    const made = await admin.done<NewApiToken>('apiTokens.createService', { name, roleIds });
    return new ApiTokenClient(url, made);
  }

  get<Body = unknown>(path: string): Promise<PublicAnswer<Body>> {
    return this.#call('GET', path);
  }

  post<Body = unknown>(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PublicAnswer<Body>> {
    return this.#call('POST', path, body, headers);
  }

  async #call<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PublicAnswer<Body>> {
    const answer = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content = (await answer.json()) as Body;
    const { error } = content as Partial<PublicError>;
    return { status: answer.status, headers: answer.headers, body: content, error };
  }
}
