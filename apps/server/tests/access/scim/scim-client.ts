import type { NewScimToken } from '@deviceportal/contract/scim';
import type { AccessFixture } from '../../support/access-fixture.ts';

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** A resource, a list, or an error. */
  readonly body: Readonly<Record<string, unknown>> & {
    readonly totalResults?: number;
    readonly Resources?: readonly Readonly<Record<string, unknown>>[];
    readonly members?: readonly { readonly value: string }[];
  };
}

/** A directory with its token, which calls the portal as Entra ID and Okta do. */
export class ScimClient {
  readonly #url: string;
  readonly #token: string;
  readonly connectionId: string;

  private constructor(url: string, { id, token }: NewScimToken) {
    this.#url = url;
    this.#token = token;
    this.connectionId = id;
  }

  static async connect(
    url: string,
    admin: AccessFixture,
    { name, roles = [] }: { readonly name: string; readonly roles?: readonly string[] },
  ): Promise<ScimClient> {
    const roleIds = await Promise.all(roles.map(async (each) => (await admin.role(each)).id));
    return new ScimClient(
      url,
      await admin.done<NewScimToken>('access.directoryConnections.create', { name, roleIds }),
    );
  }

  get token(): string {
    return this.#token;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ScimAnswer> {
    const answer = await fetch(`${this.#url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? {} : (JSON.parse(text) as ScimAnswer['body']),
    };
  }

  createUser(userName: string, attributes: object = {}): Promise<ScimAnswer> {
    return this.call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      active: true,
      ...attributes,
    });
  }

  patch(path: string, ...Operations: readonly object[]): Promise<ScimAnswer> {
    return this.call('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations,
    });
  }
}
