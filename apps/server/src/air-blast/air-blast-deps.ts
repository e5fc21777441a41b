import type { CommandsDeps } from '../commands/commands-deps.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { NextStepTokens } from './steps/next-step-token.ts';
import type { ReportLink } from './report-link.ts';

export interface AssumedRole {
  /** ID of the session in the service that stores it. */
  readonly session: string;
  readonly expiresAt: Date;
}

/** The role that operators assume for 900 s by an explicit action. */
export interface OperatorRole {
  /** @throws PortalError 1000 if the user is not allowed to */
  assume(
    viewer: Viewer,
    request: { readonly airBlastId: string; readonly origin: RequestOrigin },
  ): Promise<AssumedRole>;
  /** Whether a session that has not expired is valid: a sign-out ends it early. */
  isInForce(request: {
    readonly session: string;
    readonly airBlastId: string;
    readonly address: string;
  }): Promise<boolean>;
}

/** Dependencies of the use cases of AirBlast. */
export interface AirBlastDeps extends CommandsDeps {
  readonly tokens: NextStepTokens;
  readonly role: OperatorRole;
  /** HMAC of an approval's text, in hexadecimal. */
  readonly signApproval: (text: string) => string;
  /** The valid signatures of a text: one for each known key, the current key first. */
  readonly approvalSignatures: (text: string) => readonly string[];
  readonly signReportUrl: (link: ReportLink, holder: LinkHolder) => string;
  /** Number of devices from which a second person must approve. */
  readonly approvalDevices: number;
  readonly named: Pick<NamedSettings, 'supportedCountries'>;
}
