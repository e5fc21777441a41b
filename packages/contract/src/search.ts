import { z } from 'zod';
import type { Timestamp } from './pages.ts';

/** What a search finds, in the order in which equally good groups are shown. */
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
  /** A NUL character is in nothing that can be found: who sends one means something else than to search. */
  text: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((text) => !text.includes('\0'), 'holds a NUL character'),
  /** Only things of these kinds; everything when empty. */
  kinds: z.array(z.enum(searchKinds)).max(searchKinds.length).default([]),
});
export type FindInput = z.infer<typeof findInput>;

/** How well a thing fits: the larger, the better. What lies between two of them is finer order. */
export const searchScores = {
  /** The whole text is its id, serial number, address, e-mail, phone or name. */
  exact: 100,
  /** Its serial number or name begins with the text. */
  begins: 80,
  /** A word of it begins with the text. */
  wordBegins: 60,
  contains: 40,
  /** Only after a typing error was mended. */
  mended: 20,
} as const;

export interface SearchHit {
  readonly kind: SearchKind;
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly score: number;
  /** How it is now, as the table of states names it; null where it has no state. */
  readonly state: string | null;
  /** When it began, where that tells it from others of its name. */
  readonly at: Timestamp | null;
}

export interface SearchGroup {
  readonly kind: SearchKind;
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** There are more than are shown. */
  readonly more: boolean;
}

export interface SearchAnswer {
  /** The group with the best hit first. */
  readonly groups: readonly SearchGroup[];
  /** What was looked for instead, where nothing fits the text as it was typed. */
  readonly mended: string | null;
  /** Lower-case words to mark in what is shown. */
  readonly words: readonly string[];
}
