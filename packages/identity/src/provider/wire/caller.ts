import type { AskedFrom } from '../../messenger.ts';
import type { Application } from '../../applications/application.ts';
import type { WireLanguage } from './provider-error.ts';

/** The caller, from the contract's headers (identity-sdk.md, section 2). */
export interface Caller {
  readonly application: Application;
  readonly language: WireLanguage;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
  /** The token of `Authorization: Bearer`. */
  readonly token: string | undefined;
}

/** Shown to the reader of a code: who asked. */
export function askedFrom({ address, userAgent }: Caller): AskedFrom {
  return { address, userAgent };
}
