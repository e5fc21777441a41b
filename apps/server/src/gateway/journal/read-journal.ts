import { safeParse } from '@deviceportal/contract/safe-parse';
import { z } from 'zod';
import {
  journalEntrySchema,
  journalMessageSchema,
  type JournalEntry,
  type JournalMessage,
} from '@deviceportal/device-protocol/journal';
import { parseUpMessage, type ParsedUp } from '../parse-up-message.ts';
import { isPlainJournal } from './plain-journal.ts';

/** An entry of a known kind with an invalid value. It is skipped, so that the following ones are not lost. */
export interface UnreadableEntry {
  readonly kind: 'unreadable';
  readonly seq: number;
  readonly fault: string;
}

export type ReceivedEntry = JournalEntry | UnreadableEntry;

export type ReceivedJournal = Omit<JournalMessage, 'entries'> & {
  readonly entries: readonly ReceivedEntry[];
};

const kinds = journalEntrySchema.options.map(({ shape }) => shape.kind.value);
/** An unknown kind comes from a newer agent: it is not skipped, but kept by the device for a newer server. */
const envelopeSchema = journalMessageSchema.extend({
  entries: z
    .array(z.looseObject({ seq: z.int().positive(), kind: z.enum(kinds) }))
    .min(1)
    .max(500),
});

/** Parses a journal message of a device. */
export function readJournal(payload: Uint8Array): ParsedUp<ReceivedJournal> {
  const whole = parseUpMessage(journalMessageSchema, payload, isPlainJournal);
  if (whole.message) return whole;
  const envelope = parseUpMessage(envelopeSchema, payload);
  if (!envelope.message) return whole;
  return { message: { ...envelope.message, entries: envelope.message.entries.map(readEntry) } };
}

function readEntry(entry: { readonly seq: number; readonly kind: string }): ReceivedEntry {
  const parsed = safeParse(journalEntrySchema, entry);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const fault = `${entry.kind}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`;
  return { kind: 'unreadable', seq: entry.seq, fault: fault.slice(0, 200) };
}
