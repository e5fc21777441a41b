import { inject } from 'vitest';
import { addressOf, readCode, type BuiltinPerson } from './sign-in.ts';

const CLIENT_ID = 'deviceportalweb';

/** The portal's API as used by another user at the same time. */
export class PortalClient {
  readonly #token: string;
  readonly #portalUrl: string;

  private constructor(token: string, portalUrl: string) {
    this.#token = token;
    this.#portalUrl = portalUrl;
  }

  static async signIn(
    person: BuiltinPerson,
    portalUrl = inject('portalUrl'),
  ): Promise<PortalClient> {
    const askedAt = new Date(Date.now() - 1_000);
    const username = addressOf(person);
    const challenge = await askPool<{ Session: string; ChallengeParameters: { USERNAME: string } }>(
      portalUrl,
      'InitiateAuth',
      { AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: username } },
    );
    const answer = await askPool<{ AuthenticationResult: { IdToken: string } }>(
      portalUrl,
      'RespondToAuthChallenge',
      {
        ChallengeName: 'CUSTOM_CHALLENGE',
        Session: challenge.Session,
        ChallengeResponses: {
          USERNAME: challenge.ChallengeParameters.USERNAME,
          ANSWER: await readCode(username, askedAt, portalUrl),
        },
      },
    );
    return new PortalClient(answer.AuthenticationResult.IdToken, portalUrl);
  }

  async ask<Data>(path: string, input: unknown): Promise<Data> {
    const text = encodeURIComponent(JSON.stringify({ json: input }));
    return this.#read(await this.#send(`${path}?input=${text}`, {}));
  }

  async order<Data>(path: string, input: unknown): Promise<Data> {
    const body = JSON.stringify({ json: input });
    const reply = await this.#send(path, { method: 'POST', body });
    if (reply.status !== 403 || !(await reply.clone().text()).includes('"step-up-required"')) {
      return this.#read(reply);
    }
    await this.#confirm();
    return this.#read(await this.#send(path, { method: 'POST', body }));
  }

  /** A fresh second step of this session. */
  async #confirm(): Promise<void> {
    const askedAt = new Date(Date.now() - 1_000);
    const claims = Buffer.from(this.#token.split('.')[1] ?? '', 'base64url').toString();
    const { email } = JSON.parse(claims) as { readonly email: string };
    await this.order('stepUp.sendCode', { channel: 'email' });
    const code = await readCode(email, askedAt, this.#portalUrl);
    await this.order('stepUp.confirmByCode', { channel: 'email', code });
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${this.#portalUrl}/api/trpc/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
    });
  }

  async #read<Data>(reply: Response): Promise<Data> {
    const text = await reply.text();
    if (!reply.ok) throw new Error(text);
    return (JSON.parse(text) as { result: { data: { json: Data } } }).result.data.json;
  }
}

async function askPool<Reply>(portalUrl: string, operation: string, body: object): Promise<Reply> {
  const reply = await fetch(`${portalUrl}/identity`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: CLIENT_ID, ...body }),
  });
  if (!reply.ok) throw new Error(`${operation}: ${await reply.text()}`);
  return (await reply.json()) as Reply;
}
