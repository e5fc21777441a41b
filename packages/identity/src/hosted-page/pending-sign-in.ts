import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/application.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';

/** An application that waits for somebody to sign in, whatever protocol it speaks. */
export interface PendingSignIn {
  readonly application: Application;
  /** What the person must do: show who they are, or say yes to `scopes`. */
  readonly asks: 'sign-in' | 'consent';
  readonly scopes: readonly string[];
  /** The account that the application expects. */
  readonly loginHint: string | undefined;
  /** Languages that the application wants, as `ui_locales`. */
  readonly languages: string | undefined;
  /** False where the application wants that the person shows again who they are. */
  readonly mayReuseSignIn: boolean;
  /** Where browsers may be sent after a form of the page: see pageHeaders. */
  readonly formTargets: readonly string[];
  /** The person is signed in. @returns where the browser goes on */
  finish(signIn: BrowserSignIn): Promise<string>;
  /** The person said yes. @returns where the browser goes on */
  allow(): Promise<string>;
  /** The person does not want. @returns where the browser goes on */
  cancel(): Promise<string>;
}

/** Finds what waits under the id in the address; undefined when it is over, or of another browser. */
export type FindPendingSignIn = (
  uid: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<PendingSignIn | undefined>;
