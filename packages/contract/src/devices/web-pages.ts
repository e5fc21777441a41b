import { z } from 'zod';
import type { PlainPermission } from '../access/permissions.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Each of these allows to see the sessions of a device. */
export const webPagePermissions = [
  'web-pages:open',
  'web-pages:end',
] as const satisfies readonly PlainPermission[];

/** Ports that a device can offer. */
export const WEB_PAGES_PER_DEVICE = 8;
export const WEB_PAGE_TITLE_CHARACTERS = 40;

/** Open sessions. Above these, new ones are refused. */
export const WEB_PAGE_LIMITS = { perUser: 4, perDevice: 2, inAll: 100 } as const;
/** A session without a request for this time ends. */
export const WEB_PAGE_IDLE_MS = 15 * 60_000;
/** A session ends after this time. */
export const WEB_PAGE_DURATION_MS = 2 * 3_600_000;
/** How long a link to an open session works, once. */
export const WEB_PAGE_LINK_SECONDS = 60;
/** Requests of a session that wait until others have ended. More are refused. */
export const WEB_PAGE_WAITING = 64;
/** The body of one request. */
export const WEB_PAGE_REQUEST_BYTES = 64 * MIB;
/** The body of one response; it is cut at this size. */
export const WEB_PAGE_RESPONSE_BYTES = 256 * MIB;
/** Methods and paths of which a session counts the requests. Further ones are counted together. */
export const WEB_PAGE_PATHS = 100;

/** Why a device refused a session. */
export const webPageObstacles = [
  'port',
  'signature',
  'too-many',
  'failed',
  'consent-refused',
  'consent-unanswered',
  'no-consent-program',
] as const;
export type WebPageObstacle = (typeof webPageObstacles)[number];

export const webPageStates = ['opening', 'open', 'ended'] as const;
export type WebPageState = (typeof webPageStates)[number];

/** Why a session ended. */
export const webPageEndReasons = [
  'closed',
  'ended-by-other',
  'device-lost',
  'permission-lost',
  'idle',
  'too-long',
  'agent-stopped',
  'not-answered',
  'refused',
  'consent-unproved',
] as const;
export type WebPageEndReason = (typeof webPageEndReasons)[number];

export const openWebPageInput = z.object({
  deviceId: z.string().max(64),
  port: z.int().min(1).max(65_535),
  reason: z.string().trim().min(3).max(500),
});
export const webPageSessionInput = z.object({ sessionId: idSchema });
export const deviceWebPagesInput = z.object({ deviceId: z.string().max(64) });

export interface OpenedWebPage {
  readonly sessionId: string;
}

export interface WebPageLink {
  /** Opens the page once, within a minute. The part after `#` is a secret. */
  readonly url: string;
}

export interface WebPagePath {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly count: number;
}

export interface WebPageSessionSummary {
  readonly id: string;
  readonly state: WebPageState;
  readonly userId: string;
  readonly username: string;
  readonly reason: string;
  readonly port: number;
  readonly title: string;
  /** Whether a person at the device is asked for consent. */
  readonly isAsking: boolean;
  readonly openedAt: Timestamp;
  readonly endedAt: Timestamp | null;
  readonly endReason: WebPageEndReason | null;
  readonly obstacle: WebPageObstacle | null;
  readonly requests: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Whether pages of a device can be opened; `unsupported` for agents without them. */
export const webPageOffers = ['available', 'unsupported', 'off', 'not-set-up'] as const;
export type WebPageOffer = (typeof webPageOffers)[number];

export interface DeviceWebPages {
  readonly offer: WebPageOffer;
  readonly pages: readonly { readonly port: number; readonly title: string }[];
  /** Whether the consent of a person at the device is required, or asked for by the device itself. */
  readonly consent: 'not-needed' | 'required' | 'forbidden';
  readonly asksConsent: boolean;
  readonly sessions: readonly WebPageSessionSummary[];
}
