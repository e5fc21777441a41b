import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import mqtt, { type MqttClient } from 'mqtt';
import type { LiveChange, LiveMessage, Watch } from '@deviceportal/contract/live-channel';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';

export interface CloudCredentials {
  readonly AccessKeyId: string;
  readonly SecretKey: string;
  readonly SessionToken: string;
  /** Seconds since 1970. */
  readonly Expiration: number;
}

/** A browser's live channel on a real server, opened with a URL signed by the AWS signer. */
export class LiveClient implements AsyncDisposable {
  readonly client: MqttClient;
  readonly identityId: string;
  readonly changes: LiveChange[] = [];

  private constructor(client: MqttClient, identityId: string) {
    this.client = client;
    this.identityId = identityId;
    client.on('error', () => {});
    client.on('message', (_topic, payload) => {
      this.changes.push(...(JSON.parse(payload.toString()) as LiveMessage).changes);
    });
  }

  /**
   * @param idToken without it, connects as a guest
   * @throws Error when the connection is rejected
   */
  static async open(url: string, idToken?: string): Promise<LiveClient> {
    const { IdentityId, Credentials } = await getCloudCredentials(url, idToken);
    const path = await signPath(url, { keys: Credentials, path: '/mqtt' });
    const client = await mqtt.connectAsync(
      `ws://${new URL(url).host}${path}`,
      {
        protocolVersion: 4,
        clientId: `${IdentityId}.${crypto.randomUUID()}`,
        reconnectPeriod: 0,
      },
      // A rejection is a valid result.
      false,
    );
    const live = new LiveClient(client, IdentityId);
    await client.subscribeAsync(liveTopic(IdentityId));
    return live;
  }

  async watch(...watches: Watch[]): Promise<void> {
    await this.client.publishAsync(watchTopic(this.identityId), JSON.stringify({ watches }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

interface CredentialsReply {
  readonly IdentityId: string;
  readonly Credentials: CloudCredentials;
}

/** Credentials from the identity pool for a sign-in, or for a guest without a token. */
export async function getCloudCredentials(
  url: string,
  idToken?: string,
  provider = idToken === undefined ? '' : issuerOf(idToken),
): Promise<CredentialsReply> {
  const identityPoolId = await embeddedPoolOf(url);
  const logins = idToken === undefined ? {} : { Logins: { [provider]: idToken } };
  const { IdentityId } = await askIdentityPool<{ IdentityId: string }>(url, 'GetId', {
    IdentityPoolId: identityPoolId,
    ...logins,
  });
  return askIdentityPool(url, 'GetCredentialsForIdentity', { IdentityId, ...logins });
}

/** The pool at `/identity`. */
async function embeddedPoolOf(url: string): Promise<string> {
  const config = (await (await fetch(`${url}/api/config`)).json()) as {
    readonly identityPoolId: string;
    readonly livePoolId: string | null;
  };
  return config.livePoolId ?? config.identityPoolId;
}

function issuerOf(idToken: string): string {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { iss: string }).iss.replace(/^https?:\/\//, '');
}

async function askIdentityPool<Reply>(
  url: string,
  operation: string,
  body: object,
): Promise<Reply> {
  const reply = await fetch(`${url}/identity`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityService.${operation}`,
    },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${operation}: ${await reply.text()}`);
  return (await reply.json()) as Reply;
}

/** The path with its query, signed for the given service in the region of the pool. */
export async function signPath(
  url: string,
  { keys, path }: { readonly keys: CloudCredentials; readonly path: string },
): Promise<string> {
  const { host, hostname } = new URL(url);
  const identityPoolId = await embeddedPoolOf(url);
  const signer = new SignatureV4({
    service: path === '/mqtt' ? 'iotdevicegateway' : 'deviceportal',
    region: identityPoolId.split(':', 1)[0] ?? '',
    sha256: Sha256,
    credentials: {
      accessKeyId: keys.AccessKeyId,
      secretAccessKey: keys.SecretKey,
      sessionToken: keys.SessionToken,
    },
  });
  const request = { method: 'GET', protocol: 'http:', hostname, path, headers: { host } };
  const { query } = await signer.presign(new HttpRequest(request), { expiresIn: 3_600 });
  return `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`;
}
