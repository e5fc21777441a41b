/**
 * Messages of a web page session: `down/web-page` and `up/web-page`. One HTTP request and its response
 * are one stream with two directions, each a stream of bytes with offsets (terminal-stream.ts) that
 * consists of frames (web-frames.ts). All messages but the first have QoS 0: what is lost is sent again.
 * Agents without web pages ignore the topic, and do not state `webPages` in their birth message.
 */

import { z } from 'zod';
import { webPageObstacles } from '@deviceportal/contract/web-pages';
import { signedStatementSchema } from '../messages.ts';
import { signedConsentSchema } from '../terminal/terminal-consent.ts';

/** Raw bytes in one message. */
export const WEB_PAGE_CHUNK_BYTES = 16 * 1_024;
/** Bytes of one direction of a stream that the receiver has not passed on. */
export const WEB_PAGE_WINDOW_BYTES = 256 * 1_024;
/** Requests of a session at the same time. */
export const WEB_PAGE_STREAMS = 16;
/** How often the server sends `keep`, and a device answers it. */
export const WEB_PAGE_KEEP_MS = 2_000;
/** A session without `keep` for this time ends on the device. */
export const WEB_PAGE_SILENCE_MS = 12_000;
/** Time after which a message of a stream is sent again. */
export const WEB_PAGE_RETRY_MS = 1_000;

/** Why a session ended on the device. `unknown`: the agent was restarted. */
export const webPageCloseReasons = [
  'too-long',
  'connection-lost',
  'agent-stopped',
  'unknown',
] as const;
export type WebPageCloseReason = (typeof webPageCloseReasons)[number];

const session = z.uuid();
const stream = z.uuid();
const offset = z.int().nonnegative();
const chunk = z.base64().max(Math.ceil(WEB_PAGE_CHUNK_BYTES / 3) * 4);

const streamMessages = [
  z.object({ kind: z.literal('data'), session, stream, offset, data: chunk }),
  /** Bytes have arrived up to `upTo`, and may be sent up to `limit`. */
  z.object({ kind: z.literal('ack'), session, stream, upTo: offset, limit: offset }),
  /** The stream has ended, or is not known. */
  z.object({ kind: z.literal('reset'), session, stream }),
] as const;

export const webPageUpSchema = z.discriminatedUnion('kind', [
  ...streamMessages,
  z.object({ kind: z.literal('opened'), session, consent: signedConsentSchema.optional() }),
  /** A person at the device is asked. Also the answer to `keep` until the person has answered. */
  z.object({ kind: z.literal('asking'), session }),
  z.object({ kind: z.literal('refused'), session, reason: z.enum(webPageObstacles) }),
  /** Answer to `keep`. */
  z.object({ kind: z.literal('alive'), session }),
  z.object({ kind: z.literal('closed'), session, reason: z.enum(webPageCloseReasons) }),
]);

export const webPageDownSchema = z.discriminatedUnion('kind', [
  ...streamMessages,
  z.object({ kind: z.literal('open'), session, statement: signedStatementSchema }),
  /** The session is wanted. `isOpen`: the server knows that the device has opened it. */
  z.object({ kind: z.literal('keep'), session, isOpen: z.boolean() }),
  z.object({ kind: z.literal('close'), session }),
]);

export type WebPageUp = z.infer<typeof webPageUpSchema>;
export type WebPageDown = z.infer<typeof webPageDownSchema>;
export type WebStreamMessage = Extract<WebPageDown, { readonly stream: string }>;

/** What a server signs, so that only a user of the portal opens a web page: one port, in one session. */
export const webPageStatementSchema = z.object({
  session,
  deviceId: z.string(),
  port: z.int().min(1).max(65_535),
  authorizedBy: z.object({ id: z.string() }),
  /** Written to the log of the device, and shown to the person who is asked. */
  userName: z.string().max(200),
  reason: z.string().max(1_000),
  /** A person at the device must agree before it is opened. */
  needsConsent: z.boolean(),
  openBefore: z.iso.datetime(),
  endBefore: z.iso.datetime(),
});
export type WebPageStatement = z.infer<typeof webPageStatementSchema>;

/** The bytes that a device signs when a person has agreed; see terminal-consent.ts. */
export const webPageConsentText = (payload: string): string =>
  `deviceportal-web-page-consent-v1\n${payload}`;
