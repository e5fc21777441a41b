import { setTimeout as sleep } from 'node:timers/promises';
import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import mqtt, { type MqttClient } from 'mqtt';
import superjson from 'superjson';

const CLIENT_ID = 'deviceportalweb';

export interface PortalClient {
  readonly headers: Readonly<Record<string, string>>;
  query(path: string, input?: unknown): Promise<unknown>;
  mutate(path: string, input?: unknown): Promise<unknown>;
  /**
   * A connection to the live channel, and the viewer ID of its topics. Several connections need
   * different names.
   */
  openLive(name?: string): Promise<{ readonly client: MqttClient; readonly viewerId: string }>;
}

/** A user's session, as in a browser. */
export async function signInToPortal(url: string, username: string): Promise<PortalClient> {
  return openPortal(url, await obtainIdToken(url, username));
}

/** A client with the session of `idToken`. */
export function openPortal(url: string, idToken: string): PortalClient {
  const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' };
  let credentials: ReturnType<typeof getCredentials> | undefined;
  const unwrap = async (reply: Response): Promise<unknown> => {
    const body = (await reply.json()) as { result?: { data: never } };
    if (!body.result) throw new Error(JSON.stringify(body));
    return superjson.deserialize(body.result.data);
  };
  const send = (path: string, input: unknown): Promise<Response> =>
    fetch(`${url}/api/trpc/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(superjson.serialize(input)),
    });
  return {
    headers,
    query: async (path, input) =>
      unwrap(
        await fetch(
          `${url}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`,
          { headers },
        ),
      ),
    async mutate(path, input) {
      const reply = await send(path, input);
      if (reply.status !== 403) return unwrap(reply);
      const text = await reply.text();
      if (!text.includes('"step-up-required"')) throw new Error(text);
      await send('stepUp.sendCode', { channel: 'email' });
      const claims = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
      const { email } = JSON.parse(claims) as { email: string };
      const code = await readCode(url, email);
      await send('stepUp.confirmByCode', { channel: 'email', code });
      return unwrap(await send(path, input));
    },
    async openLive(name = 'bench') {
      credentials ??= getCredentials(url, idToken);
      return openLive(url, await credentials, name);
    },
  };
}

export async function obtainIdToken(url: string, username: string): Promise<string> {
  const challenge = await identity<{ Session: string; ChallengeParameters: { USERNAME: string } }>(
    url,
    'AWSCognitoIdentityProviderService.InitiateAuth',
    { AuthFlow: 'CUSTOM_AUTH', ClientId: CLIENT_ID, AuthParameters: { USERNAME: username } },
  );
  const code = await readCode(url, username);
  const answer = { USERNAME: challenge.ChallengeParameters.USERNAME, ANSWER: code };
  const result = await identity<{ AuthenticationResult: { IdToken: string } }>(
    url,
    'AWSCognitoIdentityProviderService.RespondToAuthChallenge',
    {
      ChallengeName: 'CUSTOM_CHALLENGE',
      ClientId: CLIENT_ID,
      Session: challenge.Session,
      ChallengeResponses: answer,
    },
  );
  return result.AuthenticationResult.IdToken;
}

/** The message is stored after the challenge is answered. */
async function readCode(url: string, to: string): Promise<string> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const outbox = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(to)}`);
    const [newest] = (await outbox.json()) as { code: string }[];
    if (newest !== undefined) return newest.code;
    await sleep(10);
  }
  throw new Error(`no code for ${to} in the outbox`);
}

async function identity<Reply>(url: string, target: string, body: object): Promise<Reply> {
  const reply = await fetch(`${url}/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${target}: ${await reply.text()}`);
  return (await reply.json()) as Reply;
}

async function getCredentials(url: string, idToken: string) {
  const config = (await (await fetch(`${url}/api/config`)).json()) as {
    identityPoolId: string;
    region: string;
  };
  const issuer = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
    iss: string;
  };
  const Logins = { [issuer.iss.replace(/^https?:\/\//, '')]: idToken };
  const { IdentityId } = await identity<{ IdentityId: string }>(
    url,
    'AWSCognitoIdentityService.GetId',
    { IdentityPoolId: config.identityPoolId, Logins },
  );
  const { Credentials } = await identity<{
    Credentials: { AccessKeyId: string; SecretKey: string; SessionToken: string };
  }>(url, 'AWSCognitoIdentityService.GetCredentialsForIdentity', { IdentityId, Logins });
  return { viewerId: IdentityId, region: config.region, keys: Credentials };
}

async function openLive(
  url: string,
  { viewerId, region, keys }: Awaited<ReturnType<typeof getCredentials>>,
  name: string,
) {
  const client = await mqtt.connectAsync(await signLiveUrl(url, region, keys), {
    protocolVersion: 4,
    clientId: `${viewerId}.${name}`,
    reconnectPeriod: 0,
    connectTimeout: 60_000,
  });
  return { client, viewerId };
}

async function signLiveUrl(
  url: string,
  region: string,
  credentials: { AccessKeyId: string; SecretKey: string; SessionToken: string },
): Promise<string> {
  const { host, hostname } = new URL(url);
  const signer = new SignatureV4({
    service: 'iotdevicegateway',
    region,
    sha256: Sha256,
    credentials: {
      accessKeyId: credentials.AccessKeyId,
      secretAccessKey: credentials.SecretKey,
      sessionToken: credentials.SessionToken,
    },
  });
  const signed = await signer.presign(
    new HttpRequest({ method: 'GET', protocol: 'ws:', hostname, path: '/mqtt', headers: { host } }),
    { expiresIn: 3_600 },
  );
  const query = new URLSearchParams(signed.query as Record<string, string>);
  return `ws://${host}/mqtt?${query.toString()}`;
}
