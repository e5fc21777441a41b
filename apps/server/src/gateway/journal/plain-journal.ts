import type { JournalMessage } from '@deviceportal/device-protocol/journal';

/**
 * Whether a value is a journal message of a frequent kind, as written by this repository's agents. The schema accepts
 * each of them unchanged, at ten times the cost. Any other message, valid or not, is left to the schema.
 */
export function isPlainJournal(value: unknown): value is JournalMessage {
  if (!isRecord(value, 3)) return false;
  const { instanceId, epoch, entries } = value;
  return (
    typeof instanceId === 'string' &&
    instanceId.length <= MOST_ID &&
    isUuid(epoch) &&
    Array.isArray(entries) &&
    entries.length > 0 &&
    entries.length <= MOST_ENTRIES &&
    entries.every(isPlainEntry)
  );
}

const MOST_ID = 64;
const MOST_ENTRIES = 500;
const MOST_TEXT = 65_536;

function isPlainEntry(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { seq, at, kind } = value;
  if (!Number.isSafeInteger(seq) || (seq as number) < 1 || !isMoment(at)) return false;
  switch (kind) {
    case 'invocation-started':
      return isRecord(value, 4) && isUuid(value['invocationId']);
    case 'invocation-output':
      return isRecord(value, 7) && isPlainOutput(value);
    case 'invocation-result':
      return isRecord(value, 10) && isPlainResult(value);
    default:
      return false;
  }
}

function isPlainOutput({ invocationId, stream, offset, text }: Fields): boolean {
  return (
    isUuid(invocationId) &&
    (stream === 'stdout' || stream === 'stderr') &&
    Number.isSafeInteger(offset) &&
    (offset as number) >= 0 &&
    typeof text === 'string' &&
    text.length <= MOST_TEXT
  );
}

function isPlainResult(fields: Fields): boolean {
  const { invocationId, state, statusDetails, responseCode, startedAt, endedAt } = fields;
  return (
    isUuid(invocationId) &&
    (state === 'Success' || state === 'Failed') &&
    statusDetails === state &&
    Number.isSafeInteger(responseCode) &&
    isMoment(startedAt) &&
    isMoment(endedAt) &&
    typeof fields['outputTruncated'] === 'boolean'
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** @param size the exact number of fields, none of which the schema would remove */
function isRecord(value: unknown, size?: number): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return size === undefined || Object.keys(value).length === size;
}

const isUuid = (value: unknown): boolean => typeof value === 'string' && uuid.test(value);
const isMoment = (value: unknown): boolean => typeof value === 'string' && moment.test(value);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** February 29 is left to the schema, which checks leap years. */
const moment =
  /^20\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
