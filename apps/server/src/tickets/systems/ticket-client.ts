import type { TicketSystemSettings } from '@deviceportal/contract/ticket-systems';
import type { InternalHosts } from '../../platform/outside/internal-hosts.ts';
import { requestOutside, type OutsideRequest } from '../../platform/outside/request-outside.ts';
import { sendFailure, type SendFailure } from '../../platform/deliveries/send-failure.ts';

/** What is sent about a case. Texts have the language of the installation: English. */
export interface TicketContent {
  readonly title: string;
  readonly text: string;
}

export interface CreatedTicket {
  readonly externalId: string;
  readonly key: string;
  readonly url: string;
}

/** A message that may have been sent before: the receiver is asked first. */
export interface TicketMessage {
  readonly deliveryId: string;
  readonly caseId: string;
  readonly content: TicketContent;
  readonly isRepeated: boolean;
}

/** A ticket system. @throws TicketRefused, or the error of the connection */
export interface TicketClient {
  readonly create: (message: TicketMessage) => Promise<CreatedTicket>;
  readonly comment: (externalId: string, message: TicketMessage) => Promise<void>;
  readonly close: (externalId: string, message: TicketMessage) => Promise<void>;
  /** Whether the account can read where tickets are created. */
  readonly test: () => Promise<void>;
}

/** The system did not accept a request. */
export class TicketRefused extends Error {
  readonly failure: SendFailure;

  constructor(failure: SendFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

const ANSWER_BYTES = 1_048_576;

export interface TicketConnection {
  readonly settings: TicketSystemSettings;
  readonly secret: string;
  readonly hosts: InternalHosts;
}

type Json = Readonly<Record<string, unknown>>;
export type Ask = (method: OutsideRequest['method'], path: string, body?: Json) => Promise<Json>;

/** Sends JSON with basic authentication, as both systems accept it. */
export function askingAs({ settings, secret, hosts }: TicketConnection): Ask {
  const base = settings.url.replace(/\/+$/, '');
  const credentials = Buffer.from(`${settings.account}:${secret}`).toString('base64');
  return async (method, path, body) => {
    const { status, body: text } = await requestOutside(
      {
        ...{ method, url: `${base}${path}` },
        headers: {
          authorization: `Basic ${credentials}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      hosts,
      { bodyBytes: ANSWER_BYTES },
    );
    const failure = sendFailure({ status });
    if (failure !== null) throw new TicketRefused(failure);
    return text === '' ? {} : parse(text);
  };
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch {
    // A page of a proxy or of a sign-in.
  }
  throw new TicketRefused({ reason: 'answer-not-json', isFinal: false });
}

/** A value of an answer. @throws TicketRefused if it is missing */
export function textIn(answer: unknown, ...path: readonly (string | number)[]): string {
  const found = path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | undefined)?.[step],
    answer,
  );
  if (typeof found === 'string' && found !== '') return found;
  throw new TicketRefused({ reason: 'answer-incomplete', isFinal: false });
}

export const listIn = (answer: Json, name: string): readonly unknown[] => {
  const list = answer[name];
  return Array.isArray(list) ? (list as unknown[]) : [];
};
