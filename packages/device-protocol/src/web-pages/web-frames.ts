/**
 * Frames of one direction of a stream: a byte with the kind, the length of the content (4 bytes, big
 * endian), and the content. The first frame is the head; `end` or `failed` is the last one.
 */

import { z } from 'zod';
import { WEB_PAGE_REQUEST_BYTES } from '@deviceportal/contract/web-pages';

export const webFrameKinds = ['head', 'body', 'end', 'failed'] as const;
export type WebFrameKind = (typeof webFrameKinds)[number];

export interface WebFrame {
  readonly kind: WebFrameKind;
  readonly content: Uint8Array;
}

/** Of the method, target, and headers of a request, or of the status and headers of a response. */
export const WEB_HEAD_LIMIT_BYTES = 48 * 1_024;
const BODY_FRAME_BYTES = 64 * 1_024;
const PREFIX_BYTES = 5;

/** A token of RFC 9110, section 5.6.2. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/);
/** Visible characters, spaces, and tabs; no line breaks. */
const headerValue = z
  .string()
  .max(16_384)
  // eslint-disable-next-line no-control-regex -- rejects control characters
  .regex(/^[^\u0000-\u0008\u000a-\u001f\u007f\u0100-\uffff]*$/u);
const headers = z.array(z.tuple([headerName, headerValue])).max(100);

export const webMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const webRequestHeadSchema = z.object({
  method: z.enum(webMethods),
  /** Origin form only (RFC 9112, section 3.2.1): a path of this device, never another host. */
  target: z
    .string()
    .max(8_192)
    .regex(/^\/[\x21-\x7e]*$/),
  headers,
  /** Exact size of the body. */
  bodyBytes: z.int().nonnegative().max(WEB_PAGE_REQUEST_BYTES),
});
export type WebRequestHead = z.infer<typeof webRequestHeadSchema>;

export const webResponseHeadSchema = z.object({
  status: z.int().min(200).max(599),
  headers,
});
export type WebResponseHead = z.infer<typeof webResponseHeadSchema>;

/** Why a device has no response: nothing listens on the port, it takes too long, or it is not HTTP. */
export const webFailures = ['no-server', 'too-slow', 'too-large', 'broken'] as const;
export type WebFailure = (typeof webFailures)[number];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const headFrame = (head: WebRequestHead | WebResponseHead): Uint8Array =>
  frameOf('head', encoder.encode(JSON.stringify(head)));

export const failedFrame = (failure: WebFailure): Uint8Array =>
  frameOf('failed', encoder.encode(failure));

export const endFrame = (): Uint8Array => frameOf('end', new Uint8Array(0));

/** Frames with the content, in order. */
export function bodyFrames(bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += BODY_FRAME_BYTES)
    frames.push(frameOf('body', bytes.subarray(at, at + BODY_FRAME_BYTES)));
  return frames;
}

/** The JSON of a head; undefined if it is none. */
export function readHead<Schema extends z.ZodType>(
  schema: Schema,
  content: Uint8Array,
): z.infer<Schema> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(decoder.decode(content)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function readFailure(content: Uint8Array): WebFailure {
  const text = decoder.decode(content.subarray(0, 32));
  return webFailures.find((each) => each === text) ?? 'broken';
}

function frameOf(kind: WebFrameKind, content: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PREFIX_BYTES + content.length);
  frame[0] = webFrameKinds.indexOf(kind);
  new DataView(frame.buffer).setUint32(1, content.length);
  frame.set(content, PREFIX_BYTES);
  return frame;
}

/** Reads frames from chunks of bytes of any size. Content of a body is passed on as it arrives. */
export class WebFrameReader {
  #held = new Uint8Array(0);
  #isFirst = true;
  #isOver = false;
  /** Bytes of the current body that have not arrived. */
  #bodyLeft = 0;

  /** @throws Error if these are no frames in the expected order */
  push(bytes: Uint8Array): WebFrame[] {
    const frames: WebFrame[] = [];
    this.#held = join(this.#held, bytes);
    for (;;) {
      const frame = this.#next();
      if (frame === undefined) return frames;
      frames.push(frame);
    }
  }

  #next(): WebFrame | undefined {
    if (this.#bodyLeft > 0) return this.#takeBody();
    if (this.#held.length > 0 && this.#isOver) throw new Error('bytes after the last frame');
    if (this.#held.length < PREFIX_BYTES) return undefined;
    const kind = webFrameKinds[this.#held[0] ?? 255];
    const length = new DataView(this.#held.buffer, this.#held.byteOffset).getUint32(1);
    if (kind === undefined || (kind === 'head') !== (this.#isFirst && kind !== 'failed'))
      throw new Error('frames in another order');
    if (kind === 'body') {
      if (length === 0) throw new Error('empty body frame');
      this.#held = this.#held.subarray(PREFIX_BYTES);
      this.#bodyLeft = length;
      return this.#takeBody();
    }
    if (length > (kind === 'head' ? WEB_HEAD_LIMIT_BYTES : 32)) throw new Error('frame too large');
    if (this.#held.length < PREFIX_BYTES + length) return undefined;
    const content = this.#held.slice(PREFIX_BYTES, PREFIX_BYTES + length);
    this.#held = this.#held.subarray(PREFIX_BYTES + length);
    this.#isFirst = false;
    this.#isOver = kind === 'end' || kind === 'failed';
    return { kind, content };
  }

  #takeBody(): WebFrame | undefined {
    if (this.#held.length === 0) return undefined;
    const content = this.#held.slice(0, this.#bodyLeft);
    this.#held = this.#held.subarray(content.length);
    this.#bodyLeft -= content.length;
    return { kind: 'body', content };
  }
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
