import recorded from '../vectors/identity-sdk-vectors.json' with { type: 'json' };

/** One recorded call of `authing-js-sdk`: its requests, the responses, and its result. */
export interface VectorCase {
  readonly id: string;
  readonly client: string;
  readonly env: 'node' | 'browser';
  readonly method: string;
  readonly args?: readonly Json[];
  readonly options?: { readonly [name: string]: Json };
  readonly setup?: readonly { readonly method: string; readonly args: readonly Json[] }[];
  readonly rules?: readonly Rule[];
  readonly expectedRequest: RecordedRequest | null;
  readonly reply: Reply | null;
  readonly exchanges?: readonly { readonly request: RecordedRequest; readonly reply: Reply }[];
  readonly result?: Json;
  readonly thrown?: { readonly [name: string]: Json };
  readonly state?: { readonly token: string | null; readonly userId: string | null };
  readonly callbacks?: readonly { readonly name: string; readonly args: readonly Json[] }[];
  readonly onErrorCalls?: Json;
  readonly argsAfter?: Json;
  readonly effectiveOptions?: { readonly [name: string]: Json };
  readonly in_4_23_48: string | { readonly [name: string]: Json };
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Json;
  readonly headers: { readonly [name: string]: string };
  readonly bodyKind: string;
  readonly body: Json;
}

export interface Reply {
  readonly status?: number;
  readonly json?: Json;
  readonly text?: string;
  readonly html?: string;
  readonly delayMs?: number;
  readonly drop?: boolean;
  readonly headers?: { readonly [name: string]: string };
}

export interface Rule extends Reply {
  readonly method?: string;
  readonly path?: string;
  readonly gql?: string;
  /** Number of replies; 0 is unlimited. */
  readonly times?: number;
}

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

/** All cases, with the behavior of 4.23.48 where later versions differ. */
export const vectorCases: readonly VectorCase[] = (recorded as unknown as VectorCase[]).map(
  (entry) =>
    typeof entry.in_4_23_48 === 'object'
      ? ({ ...entry, ...entry.in_4_23_48 } as VectorCase)
      : entry,
);
