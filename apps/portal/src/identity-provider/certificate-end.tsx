import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useServerNow } from '../ui/time/server-clock.ts';
import { Time } from '../ui/time/time.tsx';

const SOON_MS = 30 * 86_400_000;

/** The expiry of a certificate with its status. A hyphen without a certificate. */
export function CertificateEnd({ at }: { readonly at: string | null }): ReactNode {
  const t = useT();
  const format = useFormat();
  const now = useServerNow();
  if (at === null) return '-';
  const leftMs = Date.parse(at) - now;
  if (leftMs > SOON_MS) return <Time at={at} style="absolute" />;
  return (
    <StatusIndicator type={leftMs > 0 ? 'warning' : 'error'}>
      {t(leftMs > 0 ? 'identityProvider.certificate.soon' : 'identityProvider.certificate.over', {
        date: format.absolute(Date.parse(at)),
      })}
    </StatusIndicator>
  );
}
