import type { RejectionReason } from '@deviceportal/contract/data-sources';
import { toPlainName } from '@deviceportal/contract/plain-name';
import type { ZodError } from 'zod';
import type { TableItem } from '../platform/sources/table-feed.ts';
import type { Rejection } from './feed-source.ts';

const MAX_CHARACTERS = 200;

const short = (text: string): string => toPlainName(text).slice(0, MAX_CHARACTERS);

/** The values of a key, as administrators see them. */
export const describeKey = (key: TableItem): string =>
  short(
    Object.values(key)
      .map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))
      .join(' '),
  );

export const rejection = (key: TableItem, reason: RejectionReason, detail = ''): Rejection => ({
  key: describeKey(key),
  reason,
  detail: short(detail),
});

/** The first invalid attribute, and what is wrong with it. */
export function invalidItem(key: TableItem, { issues: [first] }: ZodError): Rejection {
  const path = first?.path.join('.') ?? '';
  return rejection(key, 'invalid', `${path}: ${first?.message ?? ''}`);
}
