import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/application.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';

/** A pending sign-in of an application, for any protocol. */
export interface PendingSignIn {
  readonly application: Application;
  /** Required action of the user: sign in, or consent to `scopes`. */
  readonly asks: 'sign-in' | 'consent';
  readonly scopes: readonly string[];
  /** The account that the application expects. */
  readonly loginHint: string | undefined;
  /** The application's `ui_locales`. */
  readonly languages: string | undefined;
  /** False if the application requires a new sign-in. */
  readonly mayReuseSignIn: boolean;
  /** Allowed form targets: see pageHeaders. */
  readonly formTargets: readonly string[];
  /**
   * Completes the sign-in.
   * @returns the next URL of the browser
   */
  finish(signIn: BrowserSignIn): Promise<string>;
  /**
   * Called when the user consents.
   * @returns the next URL of the browser
   */
  allow(): Promise<string>;
  /**
   * Called when the user cancels.
   * @returns the next URL of the browser
   */
  cancel(): Promise<string>;
}

/** Finds what waits under the id in the address; undefined when it is over, or of another browser. */
export type FindPendingSignIn = (
  uid: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<PendingSignIn | undefined>;
