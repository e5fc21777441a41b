import superjson from 'superjson';

const CLIENT_ID = 'deviceportalweb';

export interface SignedInTokens {
  readonly IdToken: string;
  readonly AccessToken: string;
}

/** The id token of the user with this email address, by the sign-in of a browser. */
export async function signIn(url: string, username: string): Promise<string> {
  return (await signInForTokens(url, username)).IdToken;
}

/** All tokens of a new sign-in. */
export async function signInForTokens(url: string, username: string): Promise<SignedInTokens> {
  const challenge = await askPool<{ Session: string; ChallengeParameters: { USERNAME: string } }>(
    url,
    'InitiateAuth',
    { AuthFlow: 'CUSTOM_AUTH', ClientId: CLIENT_ID, AuthParameters: { USERNAME: username } },
  );
  const messages = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(username)}`);
  const [newest] = (await messages.json()) as { code: string }[];
  const signedIn = await askPool<{ AuthenticationResult: SignedInTokens }>(
    url,
    'RespondToAuthChallenge',
    {
      ChallengeName: 'CUSTOM_CHALLENGE',
      ClientId: CLIENT_ID,
      Session: challenge.Session,
      ChallengeResponses: {
        USERNAME: challenge.ChallengeParameters.USERNAME,
        ANSWER: newest?.code ?? '',
      },
    },
  );
  return signedIn.AuthenticationResult;
}

export async function askPool<Reply>(url: string, operation: string, body: object): Promise<Reply> {
  const reply = await fetch(`${url}/identity`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${operation}: ${text}`);
  return JSON.parse(text === '' ? '{}' : text) as Reply;
}

export interface ApiAnswer {
  readonly status: number;
  readonly data: unknown;
  /** The code of the error catalog, if the call failed. */
  readonly code: number | undefined;
  readonly issues: readonly { readonly path: readonly (string | number)[] }[];
  readonly body: unknown;
  /** The reason of a refusal. */
  readonly reason?: string | null | undefined;
}

export interface ApiCall {
  readonly path: string;
  readonly input?: unknown;
  readonly token?: string | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a required second step is confirmed by a code, and the call repeated. Default: true. */
  readonly confirms?: boolean;
}

/** A query as sent by the portal. */
export function query(url: string, call: ApiCall): Promise<ApiAnswer> {
  return confirmed(url, call, sendQuery);
}

/** A mutation as sent by the portal. */
export function mutate(url: string, call: ApiCall): Promise<ApiAnswer> {
  return confirmed(url, call, sendMutation);
}

async function confirmed(
  url: string,
  call: ApiCall,
  send: (url: string, call: ApiCall) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const answer = await send(url, call);
  const { confirms = true, token } = call;
  if (!confirms || token === undefined || answer.reason !== 'step-up-required') return answer;
  await confirmOnce(url, token);
  return send(url, call);
}

/** By token: concurrent calls of a session continue together. */
const confirming = new Map<string, Promise<void>>();
/** One at a time, because sessions of one user read their codes from the same mailbox. */
let lastConfirmation = Promise.resolve();

function confirmOnce(url: string, token: string): Promise<void> {
  const known = confirming.get(token);
  if (known !== undefined) return known;
  const own = lastConfirmation.then(() => confirmByEmail(url, token));
  confirming.set(token, own);
  lastConfirmation = own.catch(() => {}).finally(() => confirming.delete(token));
  return own;
}

/** Call before a code is requested; the result waits for the code that is sent to this address. */
export type CodeReader = (email: string) => () => Promise<string>;

/** By address of the portal: those without the outbox page. */
export const codeReaders = new Map<string, CodeReader>();

/** A fresh second step of the session of this token. */
export async function confirmByEmail(url: string, token: string): Promise<void> {
  const readCode = codeReaders.get(url)?.(emailIn(token)) ?? (() => readStepUpCode(url, token));
  const sent = await mutate(url, {
    ...{ path: 'stepUp.sendCode', input: { channel: 'email' }, token },
  });
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  const code = await readCode();
  const input = { channel: 'email', code };
  const done = await mutate(url, { path: 'stepUp.confirmByCode', input, token });
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
}

/** The newest code sent to the email address in this token. */
export async function readStepUpCode(url: string, token: string): Promise<string> {
  const email = encodeURIComponent(emailIn(token));
  const messages = await fetch(`${url}/outbox/messages?to=${email}`);
  const [newest] = (await messages.json()) as { code: string }[];
  return newest?.code ?? '';
}

function emailIn(token: string): string {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(claims) as { readonly email: string }).email;
}

async function sendQuery(url: string, call: ApiCall): Promise<ApiAnswer> {
  const input = encodeURIComponent(JSON.stringify(superjson.serialize(call.input)));
  const reply = await fetch(`${url}/api/trpc/${call.path}?input=${input}`, {
    headers: {
      ...call.headers,
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
    },
  });
  return toAnswer(reply);
}

async function sendMutation(url: string, call: ApiCall): Promise<ApiAnswer> {
  const reply = await fetch(`${url}/api/trpc/${call.path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...call.headers,
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
    },
    body: JSON.stringify(superjson.serialize(call.input)),
  });
  return toAnswer(reply);
}

interface WireBody {
  readonly result?: { readonly data: Parameters<typeof superjson.deserialize>[0] };
  readonly error?: { readonly json: { readonly data: { readonly portal: ApiAnswer } } };
}

async function toAnswer(reply: Response): Promise<ApiAnswer> {
  const body = (await reply.json()) as WireBody;
  const portal = body.error?.json.data.portal;
  return {
    status: reply.status,
    data: body.result && superjson.deserialize(body.result.data),
    code: portal?.code,
    reason: portal?.reason,
    issues: portal?.issues ?? [],
    body,
  };
}
