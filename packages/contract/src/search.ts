import { z } from 'zod';
import type { DeviceFilterToken } from './devices/devices.ts';
import type { Timestamp } from './pages.ts';

/** Kinds of results, in the display order of groups with equal scores. */
export const searchKinds = [
  'device',
  'person',
  'case',
  'run',
  'invocation',
  'air-blast',
  'schedule',
  'document',
  'software',
] as const;
export type SearchKind = (typeof searchKinds)[number];

export const findInput = z.object({
  /** No searchable text contains a NUL character, and PostgreSQL rejects it. */
  text: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((text) => !text.includes('\0'), 'holds a NUL character'),
  /** Only results of these kinds; empty for all. */
  kinds: z.array(z.enum(searchKinds)).max(searchKinds.length).default([]),
});
export type FindInput = z.infer<typeof findInput>;

/** Scores; larger is better. Values between two of them are used for finer ordering. */
export const searchScores = {
  /** The text equals the ID, serial number, address, email, phone, or name. */
  exact: 100,
  /** The serial number or name starts with the text. */
  begins: 80,
  /** A word starts with the text. */
  wordBegins: 60,
  contains: 40,
  /** Matches only after typo correction. */
  mended: 20,
} as const;

/** Why a result matches that does not contain the text. */
export type SearchReason = 'sounds-like' | 'similar-spelling' | 'other-domain';

export interface SearchHit {
  readonly kind: SearchKind;
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly score: number;
  /** Current state, by its name in the table of states; null if it has no state. */
  readonly state: string | null;
  /** Start time, if needed to distinguish results with the same name. */
  readonly at: Timestamp | null;
  /** Absent for a match as typed. */
  readonly why?: SearchReason;
}

export interface SearchGroup {
  readonly kind: SearchKind;
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** Whether there are more results. */
  readonly more: boolean;
}

/** A number of devices; if not exact, about this number. */
export interface EstimatedCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** What a text asks for, beyond what contains it. */
export type SearchSuggestion =
  /** Run a command on a device. */
  | { readonly kind: 'run'; readonly command: string; readonly device: SearchHit }
  /** A command by what people call it. */
  | { readonly kind: 'command'; readonly command: string }
  /** The device list with filters. */
  | {
      readonly kind: 'devices';
      readonly tokens: readonly DeviceFilterToken[];
      /** Words that no filter stands for, searched as text. */
      readonly text: string;
      readonly devices: EstimatedCount;
    };

export interface SearchAnswer {
  readonly suggestions: readonly SearchSuggestion[];
  /** Whether the suggestions come before the results. */
  readonly suggestionsLead: boolean;
  /** Groups in the order of their best result. */
  readonly groups: readonly SearchGroup[];
  /** The corrected search text, if the typed text has no match. */
  readonly mended: string | null;
  /** Lowercase words to highlight. */
  readonly words: readonly string[];
}
