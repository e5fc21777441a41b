import type { FindingRule } from '../../devices/finding-rules.ts';
import type { ConnectivitySummary } from './connectivity-summary.ts';
import type { StripPiece } from './strip-pieces.ts';
import type { FindingFacts, FindingSeverity } from '../../devices/findings.ts';
import type { Timestamp } from '../../pages.ts';
import type { ReportLanguage, ReportPaper, ReportPart, ReportVoice } from '../report-options.ts';
import type {
  Connectivity,
  DeviceLifecycle,
  InvocationState,
  StatusDetails,
  TavState,
  UserStatus,
} from '../../states.ts';

export type { StripPiece, StripState } from './strip-pieces.ts';

/** The stored report, from which page, PDF, and tables are generated. Version 1. */
export interface UserReportDocument {
  readonly schema: 1;
  readonly id: string;
  readonly language: ReportLanguage;
  readonly voice: ReportVoice;
  readonly paper: ReportPaper;
  readonly parts: readonly ReportPart[];
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
  readonly subject: ReportSubject;
  readonly account: ReportAccount | null;
  readonly findings: readonly ReportFinding[];
  readonly devices: readonly ReportDevice[];
  readonly connectivity: readonly ConnectivityStrip[];
  readonly commands: readonly ReportCommand[];
  readonly versions: readonly ReportVersion[];
  readonly versionChanges: readonly ReportVersionChange[];
  readonly places: readonly ReportPlace[];
  readonly map: ReportMap | null;
  readonly case: ReportCase | null;
  readonly gaps: readonly ReportGap[];
  readonly sources: readonly ReportSource[];
  /** Only in shared copies. */
  readonly redaction?: AppliedRedaction;
  /** Newest first. Truncated for screens; `timelineTotal` is the total number. */
  readonly timeline: readonly ReportEvent[];
  readonly timelineTotal: number;
}

/** The rules by which a shared copy was made. */
export interface AppliedRedaction {
  readonly otherPeople: boolean;
  readonly contact: boolean;
  readonly networks: boolean;
  readonly place: 'none' | '1' | '0.1' | 'as-is';
  readonly freeTexts: { readonly total: number; readonly shown: number };
}

export interface ReportSubject {
  readonly id: string;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly language: string | null;
  readonly createdAt: Timestamp;
}

/** For a person who is also a user of the portal. */
export interface ReportAccount {
  readonly status: UserStatus;
  readonly roles: readonly string[];
  readonly lastSignInAt: Timestamp | null;
}

export type ReportFindingCode =
  | FindingRule
  | 'offline'
  | 'never-connected'
  | 'suspended'
  | 'command-failed';

export interface ReportFinding {
  readonly code: ReportFindingCode;
  readonly severity: FindingSeverity;
  readonly device: string;
  readonly facts: FindingFacts;
  readonly since: Timestamp | null;
  /** When it ended; null if it is still true. */
  readonly until: Timestamp | null;
  readonly deviceId: string;
  readonly invocation: { readonly id: string; readonly command: string } | null;
}

export interface ReportDevice {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly name: string;
  readonly model: string | null;
  readonly country: string | null;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity;
  readonly connectivitySince: Timestamp | null;
  readonly lastSeenAt: Timestamp | null;
  readonly agentVersion: string | null;
  readonly platform: string | null;
  readonly ipAddress: string | null;
  readonly softwareVersion: string | null;
  readonly tavState: TavState | null;
}

/** Connectivity of one device over the time range, without gaps. */
export interface ConnectivityStrip {
  readonly deviceId: string;
  readonly device: string;
  readonly pieces: readonly StripPiece[];
  readonly summary: ConnectivitySummary;
}

export interface ReportCommand {
  readonly id: string;
  readonly command: string;
  readonly document: string;
  readonly deviceId: string;
  readonly device: string;
  readonly state: InvocationState;
  readonly statusDetails: StatusDetails;
  readonly exitCode: number | null;
  readonly queuedAt: Timestamp;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly createdBy: string;
  /** The last output lines of a failed command; empty for others. */
  readonly lastLines: string;
}

export interface ReportVersion {
  readonly deviceId: string;
  readonly device: string;
  readonly component: string;
  readonly version: string;
  readonly since: Timestamp;
  readonly approved: string | null;
  readonly mandatoryFrom: Timestamp | null;
  readonly state: TavState | null;
}

export interface ReportVersionChange {
  readonly deviceId: string;
  readonly device: string;
  readonly component: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly at: Timestamp;
}

export interface ReportPlace {
  readonly deviceId: string;
  readonly device: string;
  readonly at: Timestamp;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  readonly source: string;
  readonly country: string | null;
  readonly precise: boolean;
}

/** A small static map: land without borders, and the last locations of the devices. */
export interface ReportMap {
  readonly width: number;
  readonly height: number;
  /** Outline of the land, as an SVG path. */
  readonly land: string;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly device: string;
    /** If only the country is known: its extent, in map units. */
    readonly reach?: number;
  }[];
}

export interface ReportEvent {
  readonly id: string;
  readonly at: Timestamp;
  readonly type: string;
  readonly deviceId: string | null;
  readonly device: string | null;
  readonly actor: string;
  readonly actorKind: 'user' | 'device' | 'system';
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ReportCase {
  readonly id: string;
  readonly ticket: string | null;
  /** The problem that the person reported. */
  readonly about: string;
  readonly openedAt: Timestamp;
  readonly openedBy: string;
  readonly closedAt: Timestamp | null;
  readonly outcome: string | null;
  readonly entries: readonly ReportCaseEntry[];
}

export interface ReportCaseEntry {
  readonly id: string;
  readonly at: Timestamp;
  readonly actor: string;
  readonly kind: string;
  readonly text: string;
  /** The part of `text` that a user wrote; absent in documents of earlier versions. */
  readonly said?: string;
}

/** Missing information, with the reason. */
export interface ReportGap {
  readonly code:
    | 'needs-permission'
    | 'too-many'
    | 'older-than-kept'
    | 'outside-scope'
    | 'rounded-places'
    | 'journal-gap'
    | 'still-running';
  readonly facts: Readonly<Record<string, string | number>>;
}

export interface ReportSource {
  readonly name: string;
  readonly rows: number;
}
