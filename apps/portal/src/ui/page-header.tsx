import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, type ReactNode } from 'react';
import { setPageTitle } from './page-title.ts';

export interface PageHeaderProps {
  readonly title: string;
  /** The document's title where it says more than the heading ("SN10000037 · Devices"). */
  readonly documentTitle?: string;
  /** Reserved from the first paint on, so that nothing moves when it arrives. */
  readonly description?: ReactNode;
  readonly counter?: string | undefined;
  readonly info?: ReactNode;
  readonly actions?: ReactNode;
  readonly variant?: 'h1' | 'awsui-h1-sticky';
}

/** The heading of a page: its only h1, the document's title, and the line under it. */
export function PageHeader(props: PageHeaderProps): ReactNode {
  const {
    title,
    documentTitle = title,
    description,
    counter,
    info,
    actions,
    variant = 'h1',
  } = props;
  useEffect(() => setPageTitle(documentTitle), [documentTitle]);
  return (
    <Header
      variant={variant}
      description={<span className="dp-reserved-line">{description}</span>}
      {...(counter === undefined ? {} : { counter })}
      {...(info === undefined ? {} : { info })}
      {...(actions === undefined
        ? {}
        : {
            actions: (
              <SpaceBetween direction="horizontal" size="xs">
                {actions}
              </SpaceBetween>
            ),
          })}
    >
      {title}
    </Header>
  );
}
