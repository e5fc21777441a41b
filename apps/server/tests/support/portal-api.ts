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
}

export interface ApiCall {
  readonly path: string;
  readonly input?: unknown;
  readonly token?: string | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A query as sent by the portal. */
export async function query(url: string, call: ApiCall): Promise<ApiAnswer> {
  const input = encodeURIComponent(JSON.stringify(superjson.serialize(call.input)));
  const reply = await fetch(`${url}/api/trpc/${call.path}?input=${input}`, {
    headers: {
      ...call.headers,
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
    },
  });
  return toAnswer(reply);
}

/** A mutation as sent by the portal. */
export async function mutate(url: string, call: ApiCall): Promise<ApiAnswer> {
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
    issues: portal?.issues ?? [],
    body,
  };
}
