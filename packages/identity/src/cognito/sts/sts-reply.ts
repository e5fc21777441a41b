import type { WireReply } from '../wire/wire-reply.ts';
import { stsStatus, type StsError } from './sts-error.ts';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const HEADERS = { 'content-type': 'text/xml', 'cache-control': 'no-store' } as const;

/** Elements of a result; undefined ones are left out. */
export interface XmlFields {
  readonly [name: string]: string | number | XmlFields | undefined;
}

/** `<XResponse><XResult>…</XResult><ResponseMetadata/></XResponse>`, as the query protocol answers. */
export function stsSuccess(action: string, fields: XmlFields, requestId: string): WireReply {
  const metadata = { ResponseMetadata: { RequestId: requestId } };
  const body = `<${action}Response xmlns="${NAMESPACE}">${xml({ [`${action}Result`]: fields })}${xml(metadata)}</${action}Response>`;
  return { status: 200, headers: { ...HEADERS, 'x-amzn-requestid': requestId }, body };
}

export function stsFailure(error: StsError, requestId: string): WireReply {
  const status = stsStatus[error.code];
  const fields = {
    Error: {
      Type: status < 500 ? 'Sender' : 'Receiver',
      Code: error.code,
      Message: error.message,
    },
    RequestId: requestId,
  };
  const body = `<ErrorResponse xmlns="${NAMESPACE}">${xml(fields)}</ErrorResponse>`;
  return { status, headers: { ...HEADERS, 'x-amzn-requestid': requestId }, body };
}

function xml(fields: XmlFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const content = typeof value === 'object' ? xml(value) : escape(String(value));
      return `<${name}>${content}</${name}>`;
    })
    .join('');
}

function escape(text: string): string {
  return (
    text
      // XML 1.0 has no way to write these at all.
      .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
