import type { RoleRow, UserPage, UserRow } from '@deviceportal/contract/access';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Page } from '@deviceportal/contract/pages';
import type { SessionDetail } from '@deviceportal/contract/session';
import { mutate, query, signIn, type ApiAnswer } from './portal-api.ts';
import type { TestServer } from './start-test-server.ts';

/** A signed-in user and their requests to the portal. */
export class AccessFixture {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** @param identifier mailbox of a built-in user, or a complete email address */
  static async open({ url }: Pick<TestServer, 'url'>, identifier: string): Promise<AccessFixture> {
    const whole = identifier.includes('@') ? identifier : `${identifier}@deviceportal.local`;
    return new AccessFixture(url, await signIn(url, whole));
  }

  ask(path: string, input?: unknown): Promise<ApiAnswer> {
    return query(this.#url, { path, input, token: this.#token });
  }

  order(path: string, input?: unknown): Promise<ApiAnswer> {
    return mutate(this.#url, { path, input, token: this.#token });
  }

  async done<Data>(path: string, input?: unknown): Promise<Data> {
    return dataOf(await this.order(path, input));
  }

  async read<Data>(path: string, input?: unknown): Promise<Data> {
    return dataOf(await this.ask(path, input));
  }

  session(): Promise<SessionDetail> {
    return this.read('session.get');
  }

  async user(username: string): Promise<UserRow> {
    const page = await this.read<UserPage>('access.users.list', { filter: { text: username } });
    const found = page.rows.find((user) => user.username.startsWith(username));
    if (found === undefined) throw new Error(`no user ${username}`);
    return found;
  }

  async role(name: string): Promise<RoleRow> {
    const found = (await this.read<RoleRow[]>('access.roles.list')).find(
      (role) => role.name === name,
    );
    if (found === undefined) throw new Error(`no role ${name}`);
    return found;
  }

  createRole(name: string, permissions: readonly string[], scope: object = {}): Promise<RoleRow> {
    return this.done('access.roles.create', { name, permissions, scope });
  }

  /** Creates a user with these roles, who can sign in. */
  async invite(identifier: string, ...roles: readonly string[]): Promise<UserRow> {
    const found = await Promise.all(roles.map((name) => this.role(name)));
    return this.done('access.users.invite', { identifier, roleIds: found.map(({ id }) => id) });
  }

  async trail(...types: readonly string[]): Promise<readonly AuditEvent[]> {
    const page = await this.read<Page<AuditEvent>>('auditTrail.list', { filter: { types } });
    return page.rows;
  }
}

function dataOf<Data>(answer: ApiAnswer): Data {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.data as Data;
}
