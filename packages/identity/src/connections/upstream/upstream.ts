import type { OutsidePerson } from '../outside-person.ts';

/** One sign-in at the other side. */
export interface Trip {
  readonly state: string;
  /** Where the other side sends the browser back to. */
  readonly callbackUrl: string;
  /** Whether a sign-in of before must not do. */
  readonly isForced?: boolean;
}

/** What has to be known again when the browser comes back; never leaves the server in clear. */
export interface Memory {
  readonly nonce?: string | undefined;
  readonly codeVerifier?: string | undefined;
  readonly requestId?: string | undefined;
}

/** How another provider is spoken to. */
export interface Upstream {
  /** @param nonce of the client that began, where it chose one */
  begin(trip: Trip, nonce?: string): Promise<{ readonly url: string; readonly memory: Memory }>;
  /**
   * Who came back. Everything that the protocol can check is checked.
   * @throws whatever is wrong with the answer
   */
  finish(trip: Trip, memory: Memory, answer: URLSearchParams): Promise<OutsidePerson>;
}
