import { useMemo, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';

/** The device as JSON, as the server returned it. */
export function RawTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const text = useMemo(() => JSON.stringify(device, null, 2), [device]);
  return <CodeBlock text={text} label={t('devices.view.raw')} maxHeightPx={640} />;
}
