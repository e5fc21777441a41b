import Button from '@cloudscape-design/components/button';
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { lazyWithListWords } from '../../i18n/lazy-with-list-words.tsx';
import { useT } from '../../i18n/use-t.ts';
import type { TableSettingsProps } from './table-settings.tsx';

type AnyTableSettings = (props: TableSettingsProps<never>) => ReactNode;

const TableSettings = lazyWithListWords(
  async () => (await import('./table-settings.tsx')).TableSettings as AnyTableSettings,
);

/**
 * Loads the settings dialog, with its drag and drop, on the first press of its button, then opens
 * it.
 */
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

/** Presses the loaded button, because the user has already pressed the placeholder. */
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
