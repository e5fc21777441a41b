import type { WireError } from './wire-error.ts';

/** A request as the server hands it over; header names in lower case, as Node gives them. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as they stand in the request line: a signature covers them. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** The client's network address, for limits and for the record. */
  readonly address: string;
  /** What the server calls the request in its own records; made up when left out. */
  readonly requestId?: string;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const COMMON_HEADERS = {
  'content-type': 'application/x-amz-json-1.1',
  'cache-control': 'no-store',
  'access-control-expose-headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
} as const;

export function successReply(output: object | undefined, requestId: string): WireReply {
  return {
    status: 200,
    headers: { ...COMMON_HEADERS, 'x-amzn-requestid': requestId },
    body: output === undefined ? '' : JSON.stringify(output),
  };
}

/** HTTP 400 for every refusal, 500 for our own failures; the name stands in header and body (cognito.md, section 1). */
export function errorReply(error: WireError, requestId: string): WireReply {
  const headers = {
    ...COMMON_HEADERS,
    'x-amzn-requestid': requestId,
    'x-amzn-errortype': `${error.name}:`,
    'x-amzn-errormessage': headerText(error.message),
  };
  const body =
    error.name === 'SerializationException'
      ? { __type: error.name }
      : { __type: error.name, message: error.message };
  return {
    status: error.name === 'InternalErrorException' ? 500 : 400,
    headers,
    body: JSON.stringify(body),
  };
}

/** Header values carry visible ASCII only; a message may quote what the client sent. */
function headerText(message: string): string {
  return message.replaceAll(/[^\x20-\x7e]/g, '?');
}
