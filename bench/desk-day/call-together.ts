import superjson from 'superjson';
import { CASE_HEADER } from '@deviceportal/contract/constants';

export interface Call {
  readonly path: string;
  readonly input: unknown;
}

export interface CallsTogether {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isMutation: boolean;
  /** The case that the user works on. */
  readonly caseId: string | undefined;
  readonly calls: readonly Call[];
}

/** Sends calls in one request, as the portal does, and returns the answer or the error of each. */
export async function callTogether({
  url,
  headers,
  isMutation,
  caseId,
  calls,
}: CallsTogether): Promise<readonly unknown[]> {
  const inputs = JSON.stringify(
    Object.fromEntries(calls.map(({ input }, index) => [index, superjson.serialize(input)])),
  );
  const address = `${url}/api/trpc/${calls.map(({ path }) => path).join(',')}?batch=1`;
  const sent = caseId === undefined ? headers : { ...headers, [CASE_HEADER]: caseId };
  const reply = isMutation
    ? await fetch(address, { method: 'POST', headers: sent, body: inputs })
    : await fetch(`${address}&input=${encodeURIComponent(inputs)}`, { headers: sent });
  const answers = (await reply.json()) as readonly { readonly result?: { data: never } }[];
  if (!Array.isArray(answers)) return calls.map(() => new Error(JSON.stringify(answers)));
  return answers.map((answer) =>
    answer.result ? superjson.deserialize(answer.result.data) : new Error(JSON.stringify(answer)),
  );
}
