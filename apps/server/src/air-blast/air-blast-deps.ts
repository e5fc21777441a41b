import type { CommandsDeps } from '../commands/commands-deps.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { NextStepTokens } from './steps/next-step-token.ts';
import type { ReportLink } from './report-link.ts';

export interface AssumedRole {
  /** Names the session where it is kept. */
  readonly session: string;
  readonly expiresAt: Date;
}

/** The role without which nobody operates a run; assumed for 900 s by an explicit act. */
export interface OperatorRole {
  /** @throws PortalError 1000 when the person may not */
  assume(
    viewer: Viewer,
    request: { readonly airBlastId: string; readonly origin: RequestOrigin },
  ): Promise<AssumedRole>;
  /** Whether a session that is not past its end still holds: a sign-out ends it early. */
  isInForce(request: {
    readonly session: string;
    readonly airBlastId: string;
    readonly address: string;
  }): Promise<boolean>;
}

/** What the use-cases of AirBlast work with. */
export interface AirBlastDeps extends CommandsDeps {
  readonly tokens: NextStepTokens;
  readonly role: OperatorRole;
  /** HMAC of what an approver signs, in hexadecimal. */
  readonly signApproval: (text: string) => string;
  /** What counts as such a signature: by each key that is known, the current one first. */
  readonly approvalSignatures: (text: string) => readonly string[];
  readonly signReportUrl: (link: ReportLink, holder: LinkHolder) => string;
  /** From so many devices on a second person has to approve. */
  readonly approvalDevices: number;
  /** ISO 3166-1 alpha-2; empty does not limit. */
  readonly supportedCountries: readonly string[];
}
