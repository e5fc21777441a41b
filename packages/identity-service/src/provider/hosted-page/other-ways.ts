import type { Application } from '../applications/application.ts';

/** A button of the page beside code and password, such as a connection or a QR code. */
export interface OtherWay {
  readonly label: string;
  /** An address of this provider; the person comes back signed in with this browser (browser-sign-in.ts). */
  readonly href: string;
  /** A picture of this provider or a `data:` address. */
  readonly logo?: string | undefined;
}

/** Which other ways an application offers. `returnTo`: the page to come back to. */
export type FindOtherWays = (application: Application, returnTo: string) => Promise<OtherWay[]>;
