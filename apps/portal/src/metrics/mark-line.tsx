import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { markColors } from './mark-colors.ts';
import type { MetricMark } from './use-metric-marks.ts';

/** What happened on the device: when, of which kind, and a link to it. */
export function MarkLine({ mark }: { readonly mark: MetricMark }): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <>
      <span
        className="dp-metric-dot"
        style={{ background: markColors[mark.kind] }}
        aria-hidden="true"
      />
      <time dateTime={new Date(mark.atMs).toISOString()}>{format.absolute(mark.atMs)}</time>{' '}
      <span className="dp-metric-kind">{t(`metrics.mark.${mark.kind}`)}</span>{' '}
      {mark.href === undefined ? (
        mark.words
      ) : (
        <PortalLink href={mark.href}>{mark.words}</PortalLink>
      )}
    </>
  );
}
