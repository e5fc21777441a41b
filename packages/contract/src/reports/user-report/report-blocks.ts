import type { ConnectivityStrip, ReportMap, StripState } from './user-report-document.ts';

/** Layout of a report, rendered as page, PDF, and shared page. */
export interface ReportLayout {
  readonly language: string;
  readonly title: string;
  readonly subtitle: readonly string[];
  readonly sections: readonly ReportSection[];
  /** The name of the product. */
  readonly portal: string;
  /** What a single page belongs to, when it is separated from the others. */
  readonly footer: string;
  /** The time zone of all times: UTC, or another one if the reader's is known. */
  readonly utcWords: string;
  readonly zoneWords: (zone: string) => string;
  readonly downloadWords: string;
  /** "Page 1 of 9". */
  readonly pageWords: (page: number, pages: number) => string;
}

export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly ReportBlock[];
}

export type ReportTone = 'error' | 'warning' | 'success' | 'neutral';

/** Evidence, for readers who can open it in the portal. */
export type ReportReference =
  | { readonly kind: 'device'; readonly id: string }
  | {
      readonly kind: 'invocation';
      readonly id: string;
      readonly deviceId: string;
      readonly command: string;
    }
  | { readonly kind: 'event'; readonly id: string; readonly at: string };

export interface ReportCell {
  readonly text: string;
  readonly reference?: ReportReference;
}

export type ReportBlock =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'facts';
      readonly facts: readonly { readonly label: string; readonly value: string }[];
    }
  | { readonly kind: 'list'; readonly items: readonly ReportListItem[] }
  | ReportTable
  | { readonly kind: 'output'; readonly title: string; readonly text: string }
  | {
      readonly kind: 'strips';
      readonly from: string;
      readonly to: string;
      readonly legend: readonly { readonly state: StripState; readonly words: string }[];
      readonly strips: readonly ReportStrip[];
    }
  | { readonly kind: 'map'; readonly words: string; readonly map: ReportMap };

export interface ReportListItem {
  readonly tone: ReportTone;
  /** Text for the tone, so that it is not conveyed only by color. */
  readonly toneWord: string;
  readonly text: string;
  readonly reference?: ReportReference;
}

export interface ReportTable {
  readonly kind: 'table';
  readonly label: string;
  readonly headers: readonly string[];
  /** Shares of the width. */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly ReportCell[])[];
}

export interface ReportStrip {
  readonly label: string;
  readonly words: string;
  readonly pieces: readonly {
    readonly start: number;
    readonly share: number;
    readonly state: ConnectivityStrip['pieces'][number]['state'];
  }[];
}
