export type TimeUnit = 'd' | 'h' | 'min' | 's';

/** A duration in one unit. */
export interface Amount {
  readonly count: string;
  readonly unit: TimeUnit;
}

/** The words of a report in one language. Findings and events have theirs beside. */
export interface ReportWords {
  readonly title: string;
  readonly about: (name: string) => string;
  readonly period: (from: string, to: string) => string;
  readonly made: (by: string, at: string) => string;
  readonly reference: (id: string) => string;
  readonly page: (page: number, pages: number) => string;
  readonly sections: Readonly<Record<ReportSectionId, string>>;
  readonly plainSections: Readonly<Partial<Record<ReportSectionId, string>>>;
  readonly none: Readonly<
    Record<'findings' | 'devices' | 'commands' | 'events' | 'places', string>
  >;
  readonly column: Readonly<Record<ReportColumn, string>>;
  readonly severity: Readonly<Record<'error' | 'warning' | 'solved', string>>;
  readonly strip: Readonly<Record<'online' | 'degraded' | 'offline' | 'unknown', string>>;
  readonly stripWords: (connectivity: {
    readonly shares: readonly { readonly words: string; readonly percent: string }[];
    readonly disconnects: number;
    /** Empty if the state is known for the whole time range. */
    readonly coverage: string;
  }) => string;
  /** How much of the time range is known: "22 of 43 min". */
  readonly coverage: (known: Amount, total: Amount) => string;
  readonly redaction: {
    readonly hidden: (words: string, what: readonly string[]) => string;
    readonly freeTexts: (shown: number, total: number) => string;
  } & Readonly<Record<'secrets' | 'otherPeople' | 'contact' | 'networks' | 'places', string>>;
  readonly newestOf: (shown: number, total: number) => string;
  readonly outputOf: (command: string, device: string, at: string) => string;
  readonly mapWords: (count: number) => string;
  /** To which part of a degree places are rounded. */
  readonly rounded: (degrees: number) => string;
  /** Explains places that are known only from the IP address. */
  readonly countryOnly: string;
  readonly placeSource: Readonly<Record<string, string>>;
  readonly somewhereIn: (country: string) => string;
  readonly utc: string;
  /** For readers whose time zone is known. */
  readonly zone: (zone: string) => string;
  readonly since: (at: string) => string;
  readonly until: (at: string) => string;
  readonly gap: Readonly<
    Record<string, (facts: Readonly<Record<string, string | number>>) => string>
  >;
  readonly sourcesIntro: string;
  /** The records that a report is made of, by table. */
  readonly sources: Readonly<Record<string, string>>;
  readonly distanceUnits: Readonly<Record<'m' | 'km', string>>;
  readonly outcome: Readonly<Record<string, string>>;
  readonly downloadPdf: string;
  readonly portal: string;
}

export const reportSectionIds = [
  'findings',
  'account',
  'devices',
  'connectivity',
  'case',
  'commands',
  'timeline',
  'versions',
  'locations',
  'method',
] as const;
export type ReportSectionId = (typeof reportSectionIds)[number];

export type ReportColumn =
  | 'device'
  | 'connection'
  | 'lifecycle'
  | 'model'
  | 'software'
  | 'country'
  | 'lastSeen'
  | 'time'
  | 'command'
  | 'result'
  | 'duration'
  | 'by'
  | 'event'
  | 'component'
  | 'version'
  | 'approved'
  | 'state'
  | 'since'
  | 'change'
  | 'place'
  | 'accuracy'
  | 'source'
  | 'rows'
  | 'name'
  | 'username'
  | 'email'
  | 'phone'
  | 'onRecord'
  | 'id'
  | 'status'
  | 'roles'
  | 'lastSignIn'
  | 'about'
  | 'ticket'
  | 'opened'
  | 'closed'
  | 'outcome'
  | 'entry';
