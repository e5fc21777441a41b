import type { OutsidePerson } from '../outside-person.ts';

/** One sign-in at the other side. */
export interface Trip {
  readonly state: string;
  /** Callback URL for the external provider. */
  readonly callbackUrl: string;
  /** Whether a sign-in of before must not do. */
  readonly isForced?: boolean;
}

/** Data needed when the browser returns; stored encrypted. */
export interface Memory {
  readonly nonce?: string | undefined;
  readonly codeVerifier?: string | undefined;
  readonly requestId?: string | undefined;
}

/** How another provider is spoken to. */
export interface Upstream {
  /** @param nonce chosen by the client that started the sign-in, if any */
  begin(trip: Trip, nonce?: string): Promise<{ readonly url: string; readonly memory: Memory }>;
  /**
   * The returning user, after all checks of the protocol.
   * @throws if the response is not valid
   */
  finish(trip: Trip, memory: Memory, answer: URLSearchParams): Promise<OutsidePerson>;
}
