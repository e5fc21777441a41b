import Button from '@cloudscape-design/components/button';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { TableSettingsProps } from './table-settings.tsx';

type AnyTableSettings = (props: TableSettingsProps<never>) => ReactNode;

const TableSettings = lazy(async () => ({
  default: (await import('./table-settings.tsx')).TableSettings as AnyTableSettings,
}));

/** The settings' dialog with its drag and drop is loaded by the first press of its button, then opens at once. */
export function LazyTableSettings<Row>(props: TableSettingsProps<Row>): ReactNode {
  const t = useT();
  const [wanted, setWanted] = useState(false);
  const button = (
    <Button
      variant="icon"
      iconName="settings"
      ariaLabel={t('app.table.settings')}
      loading={wanted}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenOnce>
        <TableSettings {...(props as unknown as TableSettingsProps<never>)} />
      </OpenOnce>
    </Suspense>
  );
}

/** Presses the button of what has just arrived: the person has pressed it already. */
function OpenOnce({ children }: { readonly children: ReactNode }): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    element.current?.querySelector('button')?.click();
  }, []);
  return <div ref={element}>{children}</div>;
}
