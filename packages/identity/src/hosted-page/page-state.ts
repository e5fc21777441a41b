import type { OtherWay } from './other-ways.ts';
import type { PageWords } from './page-words.ts';
import type { SecondStepView } from './second-step/second-step-view.ts';

/** State of the page, with previous input. */
export interface PageState {
  readonly step:
    | 'code'
    | 'password'
    | 'enter-code'
    | 'ldap'
    | 'ad'
    | 'qr'
    | 'passkey'
    | 'second-step';
  readonly account: string;
  readonly error: string | undefined;
  readonly qr?: ShownQrCode;
  readonly second?: SecondStepView;
  /** Options for the browser, as JSON. */
  readonly passkey?: string;
  /** When a code was sent; epoch, ms. */
  readonly sentAt?: number;
}

export interface SignInBody {
  readonly words: PageWords;
  readonly state: PageState;
  readonly applicationName: string;
  readonly formSecret: string;
  readonly otherWays: readonly OtherWay[];
  readonly offersPasskeys: boolean;
  /** The address of the page, without a query. */
  readonly pageUrl: string;
  /** The language that was chosen on the page; links keep it. */
  readonly lang: string | undefined;
  /** Epoch, ms. */
  readonly now: number;
}

/** A code on the page. */
export interface ShownQrCode {
  /** Key for polling its state. */
  readonly random: string;
  readonly scan: string;
  readonly pictureUrl: string;
  readonly checkUrl: string;
  /** Number of codes created automatically before this one. */
  readonly round: number;
  /** Nickname of the user who scanned it. */
  readonly nickname: string | undefined;
}
