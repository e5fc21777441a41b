import type { ReactNode } from 'react';
import { formatAbsolute, formatRelative } from '../../i18n/format-values.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useServerNow } from './server-clock.ts';

export interface TimeProps {
  readonly at: string | null | undefined;
  /**
   * `relative` (tables; with the absolute time on hover and focus), `absolute` (sentences), `exact`
   * (details: with time zone and relative time), `utc` (evidence).
   */
  readonly style?: 'relative' | 'absolute' | 'exact' | 'utc';
  /** The content without a time. */
  readonly none?: ReactNode;
}

/** A time in the given style. */
export function Time({ at, style = 'relative', none = '-' }: TimeProps): ReactNode {
  const language = useLanguage();
  const nowMs = useServerNow();
  const atMs = at ? Date.parse(at) : Number.NaN;
  if (!at || !Number.isFinite(atMs)) return none;
  const absolute = formatAbsolute(language, atMs);
  if (style === 'utc') {
    return (
      <time dateTime={at} title={absolute} className="dp-time">
        {new Date(atMs).toISOString()}
      </time>
    );
  }
  if (style === 'exact') {
    return (
      <time dateTime={at} className="dp-time">
        {absolute} <span className="dp-age">{formatRelative(language, atMs, nowMs)}</span>
      </time>
    );
  }
  return (
    <time dateTime={at} title={absolute} className="dp-time">
      {style === 'absolute' ? absolute : formatRelative(language, atMs, nowMs)}
    </time>
  );
}
