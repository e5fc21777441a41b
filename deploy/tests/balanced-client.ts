import { request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface BalancedReply {
  readonly status: number;
  readonly body: string;
}

/** A client of the portal that trusts the certificate of its load balancer. */
export class BalancedClient {
  readonly #url: string;
  readonly #authority: string;

  constructor(url: string, authority: string) {
    this.#url = url;
    this.#authority = authority;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<BalancedReply> {
    return this.#send('GET', path, headers);
  }

  /** An operation of the user pool. */
  async askPool<Reply>(operation: string, body: object): Promise<Reply> {
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    };
    const reply = await this.#send('POST', '/identity', headers, JSON.stringify(body));
    if (reply.status !== 200) throw new Error(`${operation}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body) as Reply;
  }

  /** @returns the ID token */
  async signIn(username: string, readCode: () => Promise<string>): Promise<string> {
    const challenge = await this.askPool<{
      Session: string;
      ChallengeParameters: { USERNAME: string };
    }>('InitiateAuth', {
      AuthFlow: 'CUSTOM_AUTH',
      ClientId: 'deviceportalweb',
      AuthParameters: { USERNAME: username },
    });
    const answered = await this.askPool<{ AuthenticationResult: { IdToken: string } }>(
      'RespondToAuthChallenge',
      {
        ChallengeName: 'CUSTOM_CHALLENGE',
        ClientId: 'deviceportalweb',
        Session: challenge.Session,
        ChallengeResponses: {
          USERNAME: challenge.ChallengeParameters.USERNAME,
          ANSWER: await readCode(),
        },
      },
    );
    return answered.AuthenticationResult.IdToken;
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<BalancedReply> {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#url), { method, headers, ca: this.#authority });
      sent.on('response', (reply) => {
        text(reply).then((read) => resolve({ status: reply.statusCode ?? 0, body: read }), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
