import type { AskedFrom } from '../../messenger.ts';
import type { Application } from '../../applications/application.ts';
import type { WireLanguage } from './provider-error.ts';

/** Who calls, as the headers of the contract say (identity-sdk.md, section 2). */
export interface Caller {
  readonly application: Application;
  readonly language: WireLanguage;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
  /** What came as `Authorization: Bearer`. */
  readonly token: string | undefined;
}

/** Shown to the reader of a code: who asked. */
export function askedFrom({ address, userAgent }: Caller): AskedFrom {
  return { address, userAgent };
}
