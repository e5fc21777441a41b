import { mutate, query, type ApiAnswer } from './portal-api.ts';

interface Envelope<Data> {
  readonly code: number;
  readonly message: string;
  readonly data: Data;
}

/** A call of the external provider's API at `/idp`. */
async function callProvider<Reply>(
  url: string,
  path: string,
  { body, token }: { readonly body?: object; readonly token?: string } = {},
): Promise<Reply> {
  const reply = await fetch(`${url}/idp${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-authing-app-id': 'deviceportal',
      'x-authing-lang': 'en-US',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Reply;
}

/** The provider's response to a code sent to this address. */
export async function logInByCode(
  url: string,
  email: string,
): Promise<Envelope<{ readonly token: string; readonly id: string } | null>> {
  const sendEmail =
    'mutation ($email: String!, $scene: EmailScene!) { sendEmail(email: $email, scene: $scene) { code } }';
  const variables = { email, scene: 'LOGIN_VERIFY_CODE' };
  await callProvider(url, '/graphql/v2', { body: { query: sendEmail, variables } });
  const messages = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(email)}`);
  const sent = (await messages.json()) as { readonly code: string | null }[];
  const code = sent.find((message) => message.code)?.code ?? '';
  return callProvider(url, '/api/v2/login/email-code', { body: { email, code } });
}

/** A user signed in at the provider of this server, and their requests to the portal. */
export class ProviderFixture {
  readonly token: string;
  readonly #url: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.token = token;
  }

  /** @param identifier mailbox of a built-in user, or a complete email address */
  static async open(
    { url }: { readonly url: string },
    identifier: string,
  ): Promise<ProviderFixture> {
    const whole = identifier.includes('@') ? identifier : `${identifier}@deviceportal.local`;
    const { data, message } = await logInByCode(url, whole);
    if (data === null) throw new Error(message);
    return new ProviderFixture(url, data.token);
  }

  ask(path: string, input?: unknown): Promise<ApiAnswer> {
    return query(this.#url, { path, input, token: this.token });
  }

  order(path: string, input?: unknown): Promise<ApiAnswer> {
    return mutate(this.#url, { path, input, token: this.token });
  }

  async read<Data>(path: string, input?: unknown): Promise<Data> {
    return dataOf(await this.ask(path, input));
  }

  async done<Data>(path: string, input?: unknown): Promise<Data> {
    return dataOf(await this.order(path, input));
  }
}

function dataOf<Data>(answer: ApiAnswer): Data {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.data as Data;
}
